-- Web push: browsers that receive notifications, and what is on its way to them.

-- The key with which push services recognise this exchange, made once. The private half is encrypted with the server's secret.
create table push_key (
  id text primary key check (id = 'vapid'),
  public_key text not null,
  sealed_private_key bytea not null,
  created_at bigint not null
);

-- A browser that receives pushes for a user. It ends with the session that made it.
create table push_subscription (
  id uuid primary key,
  user_id uuid not null references user_account (id),
  session_id uuid not null references user_session (id) on delete cascade,
  -- A browser has one address at its push service, which belongs to one user at a time.
  endpoint_digest bytea not null unique,
  -- Address at the push service and keys of the browser, encrypted with the server's secret.
  sealed bytea not null,
  -- Digest of the secret with which the browser's worker reads texts.
  token_digest bytea not null unique,
  kinds text[] not null,
  -- Minutes of the day in the time zone; null without quiet hours.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  time_zone text not null,
  device text not null,
  created_at bigint not null,
  last_sent_at bigint not null default 0,
  -- Failed attempts since the last success, and the time before which nothing is sent.
  failures integer not null default 0,
  retry_at bigint not null default 0,
  check ((quiet_from is null) = (quiet_to is null))
);
create index push_subscription_of_user on push_subscription (user_id, created_at desc, id desc);
create index push_subscription_of_session on push_subscription (session_id);

-- Messages for browsers. The push carries the nonce alone; the text is read with the nonce and the secret of the browser.
create table push_delivery (
  id uuid primary key,
  subscription_id uuid not null references push_subscription (id) on delete cascade,
  message_id uuid not null,
  nonce_digest bytea not null unique,
  -- The nonce itself while it waits; null as soon as it is sent or will not be sent.
  nonce text,
  kind text not null,
  parameters jsonb not null,
  created_at bigint not null,
  -- Number of older messages that this one stands for.
  folded integer not null default 0,
  sent_at bigint,
  unique (subscription_id, message_id)
);
create index push_delivery_waiting on push_delivery (subscription_id, created_at desc, id desc) where nonce is not null;
create index push_delivery_old on push_delivery (created_at);
