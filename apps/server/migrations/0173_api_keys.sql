-- Keys for programs. A revoked key keeps its row, because it is named in the security log. `sealed_secret` is encrypted with
-- the server's secret; keys whose owner uploaded a public key have none.
create table api_key (
  id uuid primary key,
  owner uuid not null references user_account (id),
  name text not null,
  key text not null unique,
  kind text not null check (kind in ('hmac', 'ed25519')),
  sealed_secret bytea,
  public_key text,
  may_trade boolean not null,
  addresses text[] not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  last_used_address text,
  revoked_at bigint,
  check ((kind = 'hmac') = (sealed_secret is not null)),
  check ((kind = 'ed25519') = (public_key is not null))
);
create index api_key_owner on api_key (owner, created_at desc) where revoked_at is null;

-- Addresses from which a key was used, so that its owner is told of a new one.
create table api_key_address (
  key_id uuid not null references api_key (id),
  address text not null,
  first_used_at bigint not null,
  primary key (key_id, address)
);
