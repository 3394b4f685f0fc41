-- Sanctions lists, as they were read from the files of the deployment. A file that changes replaces its entries.
create table sanction_list (
  name text primary key,
  -- SHA-256 of the file, in hex.
  file_hash text not null,
  addresses integer not null check (addresses >= 0),
  names integer not null check (names >= 0),
  imported_at bigint not null
);
create table sanction_entry (
  list text not null references sanction_list (name) on delete cascade,
  kind text not null check (kind in ('address', 'name')),
  -- The form that is compared: an address in lower case, or the sorted words of a name.
  key text not null,
  -- The words of a name; empty for an address.
  words text[] not null,
  -- As the list writes it, and the number of its entry in the list.
  entry text not null,
  reference text not null
);
create index sanction_entry_key on sanction_entry (kind, key);
create index sanction_entry_words on sanction_entry using gin (words) where kind = 'name';
create index sanction_entry_list on sanction_entry (list);

-- Matches that two persons decide: what matched, whose it is, and the entry of the list. `screened` is the address; names
-- are not stored here, because they are encrypted with the identity.
create table sanction_hit (
  id uuid primary key,
  subject_kind text not null check (subject_kind in ('withdrawal', 'deposit', 'identity')),
  subject text not null,
  owner uuid not null,
  screened text,
  list text not null,
  reference text not null,
  entry text not null,
  state text not null check (state in ('open', 'cleared', 'confirmed')),
  created_at bigint not null,
  decided_at bigint check ((decided_at is null) = (state = 'open')),
  decided_by text check ((decided_by is null) = (decided_at is null)),
  reason text check ((reason is null) = (decided_at is null)),
  unique (subject_kind, subject, list, reference)
);
create index sanction_hit_open on sanction_hit (id) where state = 'open';
create index sanction_hit_decided on sanction_hit (id desc) where state <> 'open';
create index sanction_hit_owner on sanction_hit (owner) where state <> 'cleared';
