-- Where an attempt went, and its headers as far as they are no secret; null of attempts before.
ALTER TABLE delivery_attempt ADD COLUMN url text, ADD COLUMN headers jsonb;

-- Routing keys are put into the body at the attempt; what is stored and shown never has them.
UPDATE delivery AS d SET body = regexp_replace(d.body, '"routing_key":"([^"\\]|\\.)*"', '"routing_key":""')
FROM integration AS i
WHERE i.organization_id = d.organization_id AND i.id = d.integration_id AND i.definition ->> 'kind' = 'pagerduty';
