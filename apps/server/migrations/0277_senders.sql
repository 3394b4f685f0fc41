-- Whom a sender has paid: a wallet that pays many addresses of the exchange is often that of another exchange.
create index chain_sighting_sender on chain_sighting (network, sender, address) where sender is not null;
