export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
  /** Title and reason of each failed test, shortened. */
  readonly failures?: readonly string[];
  /** Title and reason of each test that failed at first and passed when it was repeated, shortened. */
  readonly repeated?: readonly string[];
  /** Processor seconds of the step's processes, including databases and browsers; undefined without /proc. */
  readonly processorSeconds?: number | undefined;
}

export type Print = (text: string) => void;

export interface Step {
  readonly name: string;
  /**
   * Steps of a test run that must end before this step starts. Steps that are not part of the run
   * are ignored.
   */
  readonly after?: readonly string[];
  /** Milliseconds after which the step's command is ended and counts as failed; 45 minutes by default. */
  readonly timeLimitMs?: number | undefined;
  /** Runs the step of a test run. All output goes to `print`. */
  readonly run: (root: string, print: Print) => Promise<Outcome>;
}

export interface StepResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

export interface CommandOptions {
  readonly print?: Print | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeLimitMs?: number | undefined;
}

export interface CommandResult {
  /** Whether the command ended with status 0 and within its time. */
  readonly isPassed: boolean;
  readonly processorSeconds: number | undefined;
}

export interface TestReport {
  readonly testResults: readonly {
    /** Path of the test file. */
    readonly name?: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title?: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

type Order = Omit<Step, 'name' | 'run'>;

export function gate(name: string, program: string, parameters: readonly string[], order?: Order): Step;

export function tests(
  name: string,
  parameters: readonly string[],
  order?: Order,
  environmentOf?: () => Promise<Readonly<Record<string, string>>>,
): Step;

export function outcomeOf(report: TestReport, ended: boolean, output?: string): Outcome;

export function filesToRepeat(report: TestReport | undefined): string[];

export function outcomeWithRepetition(first: Outcome, second: Outcome): Outcome;

export function runSteps(
  steps: readonly Step[],
  root: string,
  print?: Print,
  mostAtOnce?: number,
): Promise<StepResult[]>;

export function processorSeconds(): number;

export function runCommand(
  root: string,
  command: string,
  parameters: readonly string[],
  options?: CommandOptions,
): Promise<CommandResult>;
