-- In which zone a person wants to see times; without one it is the browser's.
ALTER TABLE identity.person ADD COLUMN time_zone text CHECK (length(time_zone) BETWEEN 1 AND 64);
