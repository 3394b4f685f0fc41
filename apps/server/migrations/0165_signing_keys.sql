-- Keys that sign the tape, proofs and checkpoints. A key that replaces another is appointed by it, and countersigns.
create table signing_key (
  number bigint generated always as identity primary key,
  id text not null unique check (id ~ '^[0-9a-f]{16}$'),
  public_key text not null,
  replaces text references signing_key (id),
  at bigint not null,
  -- Of `handover|replaces|id|at`, in Base64: by the key that is replaced, and by this one.
  signature text check ((signature is null) = (replaces is null)),
  countersignature text check ((countersignature is null) = (replaces is null))
);
create trigger signing_key_append_only before update or delete or truncate on signing_key
  for each statement execute function refuse_change();
