-- Whether a key may move balances between its owner and the owner's sub-accounts.
alter table api_key add column may_transfer boolean not null default false;
