-- Operators search records by the text that a ticket names; each way of naming one has an index.

-- HMACs of the document number, whatever its country, and of the words of the name. The server makes those of earlier
-- submissions at its next start.
alter table kyc_submission add column number_key bytea;
alter table kyc_submission add column name_keys bytea[] not null default '{}';
create index kyc_submission_number on kyc_submission (number_key) where number_key is not null;
create index kyc_submission_names on kyc_submission using gin (name_keys);
create index kyc_submission_of_owner on kyc_submission (owner, id);
drop index kyc_submission_outdated;
create index kyc_submission_outdated on kyc_submission (id) where fingerprint_version < 3;

create index user_account_nickname_begins on user_account (lower(nickname) text_pattern_ops) where nickname <> '';
create index deposit_transaction on deposit (lower(txid), id);
create index deposit_by_address on deposit (lower(address), id);
create index deposit_address_text on deposit_address (lower(address));
create index withdrawal_by_address on withdrawal (lower(address), id);
create index withdrawal_address_text on withdrawal_address (lower(address), id);
create index withdrawal_address_stored on withdrawal_address (owner, id);
create index support_request_email on support_request (email, id);
create index support_request_of_owner on support_request (owner, id) where owner is not null;
create index convert_quote_accepted on convert_quote (owner, id) where accepted_at is not null;
