-- Where an operator's invitation was mailed to; none of the first owner and of a demo's ready accounts.
alter table operator add column email text check (length(email) <= 254);
