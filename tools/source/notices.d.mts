/** A package that is shipped with the server. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** The licence name in the package's manifest. */
  readonly license: string;
  /** The text of the package's licence files; empty if it has none. */
  readonly text: string;
}

/**
 * Returns all direct and indirect dependencies of a workspace, sorted by name and version, without the project's own
 * packages.
 */
export function noticesOf(workspace: string): Notice[];

/** Formats the notices as a Markdown page, in the same form as those of the apps. */
export function noticesPage(notices: readonly Notice[]): string;
