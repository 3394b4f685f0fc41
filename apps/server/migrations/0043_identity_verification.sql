-- Identity verification: what people submit, what was decided, and who has looked at it.

-- A try is never changed but by its decision; another try is another row. Name and number are encrypted.
create table kyc_submission (
  id uuid primary key,
  owner uuid not null references user_account (id),
  request_key text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  sealed bytea not null,
  -- HMAC of country and number: tells the same document without knowing it.
  document_hash bytea not null check (length(document_hash) = 32),
  front uuid not null,
  back uuid not null,
  -- Both sides are the very same file.
  is_same_side boolean not null,
  -- 1 reviewing, 2 verified, 3 rejected
  status smallint not null check (status in (1, 2, 3)),
  submitted_at bigint not null,
  decided_at bigint check ((decided_at is null) = (status = 1)),
  decided_by text check ((decided_by is null) = (status = 1)),
  reasons text[] not null default '{}',
  note text not null default '',
  photos_erased_at bigint,
  unique (owner, request_key)
) with (fillfactor = 80);
create unique index kyc_submission_one_review on kyc_submission (owner) where status = 1;
create unique index kyc_submission_one_verified on kyc_submission (owner) where status = 2;
-- One document, one account.
create unique index kyc_submission_one_account on kyc_submission (document_hash) where status = 2;
create index kyc_submission_document on kyc_submission (document_hash);
create index kyc_submission_owner on kyc_submission (owner, submitted_at desc);
create index kyc_submission_queue on kyc_submission (submitted_at) where status = 1;
create index kyc_submission_photos on kyc_submission (decided_at) where decided_at is not null and photos_erased_at is null;

-- Every look of an operator at what somebody has submitted.
create table kyc_look (
  id uuid primary key,
  submission uuid not null references kyc_submission (id),
  what text not null check (what in ('data', 'front', 'back')),
  operator text not null,
  at bigint not null
);
create index kyc_look_operator on kyc_look (operator, at desc);
create index kyc_look_submission on kyc_look (submission, at desc);
create trigger kyc_look_append_only before update or delete or truncate on kyc_look
  for each statement execute function refuse_change();

-- What its owner is shown of a submitted identity.
alter table user_account add column name_masked text not null default '';
alter table user_account add column document_masked text not null default '';
