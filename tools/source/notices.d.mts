/** A package that is delivered with the server. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** As its author names it. */
  readonly license: string;
  /** Of the license file; empty where the package has none. */
  readonly text: string;
}

/** The packages that a workspace runs with, however far down, by name and version; our own are left out. */
export function noticesOf(workspace: string): Notice[];

/** The notices as a page, in the form that the apps have theirs. */
export function noticesPage(notices: readonly Notice[]): string;
