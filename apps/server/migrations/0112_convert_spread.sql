-- What a quote's rate lies below the index: it grows where the index moves. Earlier quotes had this one.
alter table convert_quote
  add column spread numeric(38, 18) not null default 0.001 check (spread >= 0 and spread < 1);
