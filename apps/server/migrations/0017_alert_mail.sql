-- What price alerts have to tell by mail: waiting until it goes into a letter, then kept as long as it counts.

create table price_alert_mail (
  number bigint generated always as identity primary key,
  user_id uuid not null references user_account (id),
  title text not null,
  content text not null,
  told_at bigint not null,
  mailed_at bigint
) with (fillfactor = 80);
create index price_alert_mail_waiting on price_alert_mail (user_id) where mailed_at is null;
create index price_alert_mail_mailed on price_alert_mail (user_id, mailed_at) where mailed_at is not null;
