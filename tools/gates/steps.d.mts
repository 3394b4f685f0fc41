export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
}

export interface TestReport {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function outcomeOf(report: TestReport, ended: boolean): Outcome;
