-- Notes of operators about users; they are never changed.
create table operator_note (
  id uuid primary key,
  owner uuid not null references user_account (id),
  operator text not null,
  text text not null check (length(text) between 1 and 500),
  at bigint not null
);
create index operator_note_owner on operator_note (owner, id);
create trigger operator_note_append_only before update or delete or truncate on operator_note
  for each statement execute function refuse_change();

-- The newest sign-ins with a device and from a network, for accounts that share one.
create index user_session_of_device on user_session (device_mark, id) where has_device_id;
create index user_session_of_network on user_session (address_network, id) where address_network is not null;
create index user_session_of_user on user_session (user_id, id);
