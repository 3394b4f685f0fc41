-- What people write to customer service, and what operators answer.
create table support_request (
  id uuid primary key,
  -- Nobody's where a visitor wrote.
  owner uuid references user_account (id),
  -- HMAC of the writer: their account, or the network they wrote from.
  source bytea not null check (length(source) = 32),
  -- The writer's key of this request: sent again, it is the same one.
  request_key text,
  email text not null check (length(email) <= 254),
  locale text not null,
  topic text not null,
  content text not null check (length(content) between 1 and 2000),
  -- 1 waiting, 2 answered, 3 closed without an answer
  status smallint not null default 1 check (status in (1, 2, 3)),
  created_at bigint not null,
  answer text not null default '' check ((answer <> '') = (status = 2)),
  decided_at bigint check ((decided_at is null) = (status = 1)),
  decided_by text check ((decided_by is null) = (status = 1)),
  unique (source, request_key)
) with (fillfactor = 80);
create index support_request_waiting on support_request (created_at) where status = 1;
create index support_request_owner on support_request (owner, created_at desc) where owner is not null;
create index support_request_source on support_request (source, created_at);
create index support_request_decided on support_request (decided_at) where status <> 1;
