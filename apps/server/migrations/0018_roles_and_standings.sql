-- The role that the server works as owns nothing: on a table that `refuse_change` guards it has no right to the
-- changes that are refused there. From here on that function alone says what is append-only.

drop trigger market_tape_no_change on market_tape;
create trigger market_tape_append_only before update or truncate on market_tape
  for each statement execute function refuse_change();
drop trigger market_tape_hour_no_change on market_tape_hour;
create trigger market_tape_hour_append_only before update or delete or truncate on market_tape_hour
  for each statement execute function refuse_change();
drop function market_tape_is_written_once();

-- What happened to an account's security is never rewritten. Only events of nobody are removed with age.
create trigger security_event_append_only before update or truncate on security_event
  for each statement execute function refuse_change();
create function keep_events_of_users() returns trigger language plpgsql as $$
begin
  if exists (select from gone where user_id is not null) then
    raise exception 'security events of users are append-only' using errcode = 'EX002';
  end if;
  return null;
end
$$;
create trigger security_event_of_users_stays after delete on security_event
  referencing old table as gone for each statement execute function keep_events_of_users();

-- Which transaction last changed what an account may do, whoever made the change: processes that remember standings
-- ask for those of transactions they had not seen, and forget them.
alter table user_account add column standing_changed_by xid8;
create index user_account_standing_changed on user_account (standing_changed_by)
  where standing_changed_by is not null;
create function note_standing_change() returns trigger language plpgsql as $$
begin
  new.standing_changed_by := pg_current_xact_id();
  return new;
end
$$;
create trigger user_account_standing before update on user_account for each row
  when ((new.frozen, new.may_purchase, new.kyc_status) is distinct from (old.frozen, old.may_purchase, old.kyc_status))
  execute function note_standing_change();
