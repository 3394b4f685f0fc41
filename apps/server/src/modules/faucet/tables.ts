export type FaucetTables = {
  faucet_claim: { owner: string; claimed_at: bigint };
};
