-- Uploaded pictures: what is known of them. Their contents lie in the file store, encrypted.
create table file (
  id uuid primary key,
  owner uuid not null references user_account (id),
  purpose text not null check (purpose in ('identity', 'proof', 'avatar')),
  -- Of the file as it was sent.
  sha256 bytea not null check (length(sha256) = 32),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- free: nobody has taken it yet; claimed: it belongs to `claimed_for`; gone: its content is to be erased.
  state text not null check (state in ('free', 'claimed', 'gone')),
  claimed_for text check ((claimed_for is null) = (state = 'free') or state = 'gone'),
  created_at bigint not null
) with (fillfactor = 80);
create index file_hash on file (sha256, purpose);
create index file_free on file (created_at) where state = 'free';
create index file_gone on file (id) where state = 'gone';

-- How often somebody has tried to upload on a day (00:00 UTC).
create table file_day (
  owner uuid not null references user_account (id),
  day bigint not null,
  tries integer not null check (tries > 0),
  primary key (owner, day)
) with (fillfactor = 50);
