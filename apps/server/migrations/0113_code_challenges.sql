-- The signature of the challenge whose solution a code was mailed for: each solution counts once. Rows are removed by
-- age, long after a challenge has expired.
alter table email_code add column challenge bytea;
create unique index email_code_challenge on email_code (challenge) where challenge is not null;
