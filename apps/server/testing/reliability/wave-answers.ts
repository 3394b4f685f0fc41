import type { ApiResponse } from '../calling.ts';
import { REPEATABLE_CALLS, type IntendedRequest } from './repeatable-calls.ts';
import type { Answers } from './wave-sender.ts';

const NOT_OPEN = 'l.order_not_open';

/**
 * Describes what is wrong with the responses to a wave of repeated requests, with one line for each wrong request. The
 * separate function `effectProblems` checks the stored data.
 */
export function answerProblems(intents: readonly IntendedRequest[], answers: Answers): string[] {
  return intents.flatMap((intent) => {
    const responses = answers.get(intent) ?? [];
    const problem = responses.length === 0 ? 'no answer' : problemOf(intent, responses);
    return problem === undefined ? [] : [`${intent.kind} ${intent.key}: ${problem}`];
  });
}

/** Returns whether one of the responses accepted the request. */
export function isAccepted(intent: IntendedRequest, answers: Answers): boolean {
  return (answers.get(intent) ?? []).some(({ code }) => code === 1);
}

function problemOf(
  { kind }: IntendedRequest,
  responses: readonly ApiResponse<unknown>[],
): string | undefined {
  if (!REPEATABLE_CALLS[kind].idempotent) return onceProblem(kind, responses);
  const different = new Set(responses.map(resultText));
  if (different.size > 1) return `${different.size} answers: ${[...different].join(' | ')}`;
  const { code, errKey, text } = responses[0]!;
  // An amendment may be refused because the order has ended. `effectProblems` checks in the stored data that it has.
  if (code === 1 || (kind === 'amendment' && errKey === NOT_OPEN)) return undefined;
  return `refused: ${text}`;
}

/**
 * Checks the responses to all copies of a request that cancels an order or removes an alert. Such requests have no
 * request id. At most one copy may end the order or alert; none does if that response was lost and the copy was sent
 * again. Each other copy must be refused because the order is not open, or answered with zero removed alerts. Returns
 * the description of a problem, or undefined if there is none.
 */
function onceProblem(
  kind: IntendedRequest['kind'],
  responses: readonly ApiResponse<unknown>[],
): string | undefined {
  const isCancel = kind === 'cancel';
  const isDone = ({ code, data }: ApiResponse<unknown>) =>
    code === 1 && (isCancel || (data as { count: number }).count === 1);
  const doneCount = responses.filter(isDone).length;
  const unexpected = responses.filter(
    (answer) => !isDone(answer) && (isCancel ? answer.errKey !== NOT_OPEN : answer.code !== 1),
  );
  if (unexpected.length > 0) return `was answered ${unexpected[0]!.text}`;
  return doneCount > 1 ? `was done ${doneCount} times` : undefined;
}

function resultText({ code, data, errKey, text }: ApiResponse<unknown>): string {
  return code === 1 ? JSON.stringify(data) : (errKey ?? text);
}
