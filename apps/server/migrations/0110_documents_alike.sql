-- A document is known by its letters and digits alone, and those that nearly match are found.

-- Which version of the fingerprint a row has: 1 covers the number as it was typed. The server makes the others anew.
alter table kyc_submission add column fingerprint_version smallint not null default 1;
-- HMACs of the number, of the number without each of its characters, and of its skeleton: rows that share one may be
-- of documents that are nearly the same.
alter table kyc_submission add column near_keys bytea[] not null default '{}';
create index kyc_submission_near on kyc_submission using gin (near_keys);
create index kyc_submission_outdated on kyc_submission (id) where fingerprint_version < 2;
