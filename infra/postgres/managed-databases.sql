-- Databases and their owners where PostgreSQL is a cloud's. Run once by psql in the database postgres as the master user, who may make roles
-- and databases and is no superuser. No process of the product is the master: its password may change every week.
-- Passwords come from the environment, named as in the secret of the chart. PostgreSQL 16 or newer.
\set ON_ERROR_STOP on
\getenv owner TIDEMARK_POSTGRES_PASSWORD
\getenv application TIDEMARK_POSTGRES_APPLICATION_PASSWORD
\getenv lake TIDEMARK_CATALOG_PASSWORD
\getenv reader TIDEMARK_CATALOG_READER_PASSWORD
\getenv druid TIDEMARK_DRUID_METADATA_PASSWORD

BEGIN;
CREATE ROLE tidemark_owner LOGIN PASSWORD :'owner';
CREATE ROLE tidemark_application LOGIN PASSWORD :'application';
CREATE ROLE tidemark_cross_tenant NOLOGIN;
CREATE ROLE tidemark_lake LOGIN PASSWORD :'lake';
CREATE ROLE tidemark_catalog_reader LOGIN PASSWORD :'reader';
CREATE ROLE druid LOGIN PASSWORD :'druid';

-- Functions that look over all organisations are handed over to it.
GRANT tidemark_cross_tenant TO tidemark_owner;
COMMIT;

-- Who makes a database for a role must be a member of it.
GRANT tidemark_owner, tidemark_lake, druid TO CURRENT_USER;
CREATE DATABASE tidemark OWNER tidemark_owner;
CREATE DATABASE iceberg OWNER tidemark_lake;
CREATE DATABASE druid OWNER druid;
REVOKE ALL ON DATABASE tidemark, iceberg, druid FROM PUBLIC;
GRANT CONNECT ON DATABASE tidemark TO tidemark_application;
GRANT CONNECT ON DATABASE iceberg TO tidemark_catalog_reader;
REVOKE tidemark_owner, tidemark_lake, druid FROM CURRENT_USER;
