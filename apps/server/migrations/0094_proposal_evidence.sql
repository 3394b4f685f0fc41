-- SHA-256 of what the first decision was made on; empty for proposals from before it was stored, which cannot be approved.
alter table operator_proposal add column evidence_digest bytea check (length(evidence_digest) = 32);
-- Whether the second person has to type the amount or the end of the destination again.
alter table operator_proposal add column moves_money boolean not null default false;
