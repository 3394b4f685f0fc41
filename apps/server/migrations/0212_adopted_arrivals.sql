-- The contract under which an arrival was seen before its token was listed; its coin has the code of the token since.
alter table treasury_arrival add column contract text;
