import { ProofOfWorkSearch } from '@exchange/core/proof-of-work.ts';

/** What a request for a code carries once its challenge is solved. */
export interface ShownWork {
  readonly challenge?: string;
  readonly solution?: string;
}

/** Sends a request for a code and, where work is demanded, solves the challenge and sends the request again with it. */
export async function withWork<
  Answer extends { readonly errKey: string | undefined; readonly data: unknown },
>(send: (work: ShownWork) => Promise<Answer>): Promise<Answer> {
  const answer = await send({});
  if (answer.errKey !== 'l.code_challenge') return answer;
  return send(solved(answer.data));
}

/** The solution of the challenge that a refusal with `l.code_challenge` carries as its data. */
export function solved(data: unknown): Required<ShownWork> {
  const { challenge, difficulty } = data as { challenge: string; difficulty: string };
  const search = new ProofOfWorkSearch(challenge, Number(difficulty));
  for (;;) {
    const solution = search.search(100_000);
    if (solution !== undefined) return { challenge, solution };
  }
}
