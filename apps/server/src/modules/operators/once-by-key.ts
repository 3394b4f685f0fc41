import type { CallMarks, Performed } from '../../platform/console/gate.ts';
import { nameOf } from '../../platform/console/gate.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';

const KEY_MAX = 80;
const RESULTS_MAX = 1_000;

interface Performs {
  perform(operation: Operation, call: OperatorCall, code: string): Promise<Performed>;
}

/**
 * Makes calls idempotent by their key: a repeated call returns the first result without running again or checking its
 * code. Refused calls may be retried. The latest results are kept in memory until the server stops.
 */
export class OnceByKey {
  private readonly inner: Performs;
  private readonly answers = new Map<string, Promise<Performed>>();

  constructor(inner: Performs) {
    this.inner = inner;
  }

  perform(operation: Operation, call: OperatorCall, { key, code }: CallMarks): Promise<Performed> {
    if (operation.method === 'GET' || key === undefined || key.length > KEY_MAX)
      return this.inner.perform(operation, call, code);
    const name = JSON.stringify([call.operator.name, key, nameOf(operation), call.parameters, call.fields]);
    const earlier = this.answers.get(name);
    if (earlier !== undefined) return earlier;
    const answer = this.inner.perform(operation, call, code);
    this.answers.set(name, answer);
    answer.catch(() => this.answers.delete(name));
    const [oldest] = this.answers.keys();
    if (this.answers.size > RESULTS_MAX && oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }
}
