-- Contracts of TRON are addresses in base 58, which differ in upper and lower case; `TRX` stands for its coin.
alter table chain_watched_token drop constraint chain_watched_token_contract_check;
alter table chain_watched_token add constraint chain_watched_token_contract_check
  check (network = 'TRC20' or contract = lower(contract));
