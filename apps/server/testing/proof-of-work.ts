import { ProofOfWorkSearch } from '@exchange/core/proof-of-work.ts';

/**
 * Form fields that carry a solved proof-of-work challenge; both are absent in a request without a solution.
 */
export interface ChallengeFields {
  readonly challenge?: string;
  readonly solution?: string;
}

/**
 * Sends a request for a mailed code. If proof of work is required, solves the challenge and sends the request
 * again. Returns the last response.
 */
export async function withSolvedChallenge<
  Answer extends { readonly errKey: string | undefined; readonly data: unknown },
>(send: (work: ChallengeFields) => Promise<Answer>): Promise<Answer> {
  const answer = await send({});
  if (answer.errKey !== 'l.code_challenge') return answer;
  return send(solveChallenge(answer.data));
}

/**
 * Solves the challenge that a refusal with `l.code_challenge` contains in its data. Returns the form fields
 * with which the request is sent again.
 */
export function solveChallenge(data: unknown): Required<ChallengeFields> {
  const { challenge, difficulty } = data as { challenge: string; difficulty: string };
  const search = new ProofOfWorkSearch(challenge, Number(difficulty));
  for (;;) {
    const solution = search.search(100_000);
    if (solution !== undefined) return { challenge, solution };
  }
}
