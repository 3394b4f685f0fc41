-- The inbox. The words live in the program; a row says which sentence and what fills it.

create table message (
  id uuid primary key,
  user_id uuid not null references user_account (id),
  -- 1 system, 2 trade, 3 asset, 4 activity
  type integer not null check (type between 1 and 4),
  kind text not null,
  parameters jsonb not null default '{}',
  read_at bigint,
  created_at bigint not null
);
create index message_of_user on message (user_id, created_at desc, id desc);
create index message_unread on message (user_id) where read_at is null;

create table parameter (
  name text primary key check (name ~ '^[a-z0-9_]{1,60}$'),
  value text not null,
  -- Only public ones are ever answered to a caller.
  public boolean not null default false
);
insert into parameter (name, value, public) values
  ('customer_service_email', 'support@amethyst.example', true),
  ('customer_service_url', '', true),
  ('contract_fee_rate', '0', true);
