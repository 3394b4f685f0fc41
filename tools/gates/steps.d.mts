export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
  /** Which tests failed and why, in brief. */
  readonly failures?: readonly string[];
}

export type Print = (text: string) => void;

export interface Step {
  readonly name: string;
  /** Needs no other step to have ended, and may run beside its independent neighbours. */
  readonly isIndependent?: boolean;
  /** `print` is given when another step runs beside it; without it, the step writes to the terminal itself. */
  readonly run: (root: string, print?: Print) => Promise<Outcome>;
}

export interface StepResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

export interface CommandOptions {
  readonly print?: Print | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
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

export const STEPS: readonly Step[];

export function runSteps(
  steps: readonly Step[],
  root: string,
  print?: Print,
  mostAtOnce?: number,
): Promise<StepResult[]>;

export function runCommand(
  root: string,
  command: string,
  parameters: readonly string[],
  options?: CommandOptions,
): Promise<boolean>;
