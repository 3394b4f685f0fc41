export function divided(
  amounts: readonly bigint[],
  terms: {
    readonly issued: bigint;
    readonly ratio: bigint;
    readonly cap: bigint;
    readonly digits: number;
  },
): bigint[];
export function saleFault(
  commitmentText: string,
  resultText: string,
  project?: { readonly commitmentHash: string; readonly resultHash: string },
): string | undefined;
