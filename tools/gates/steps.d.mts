export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
  /** Which tests failed and why, in brief. */
  readonly failures?: readonly string[];
}

export interface TestReport {
  readonly testResults: readonly {
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title?: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export function outcomeOf(report: TestReport, ended: boolean): Outcome;
