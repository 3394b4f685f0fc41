import * as z from 'zod';

/** Zod types of environment settings. The error message of each type states the rule that a value must meet. */

export type Environment = Readonly<Record<string, string | undefined>>;

export const POSTGRES: readonly string[] = ['postgres:', 'postgresql:'];

/**
 * Returns an option of a Zod type: an error message that contains the rule and the invalid value. It is used
 * only for settings that contain no secret.
 */
export const mustBe = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => `must be ${rule}, not "${String(input)}"`,
});
export const secretly = (rule: string) => ({ error: () => `must be ${rule}` });

export const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, mustBe(choices.join(' or ')));
/**
 * Returns the type of a setting that contains a URL, possibly with a password, so the error message does not
 * repeat the value. A PostgreSQL URL may omit the host and contain a socket path instead.
 */
export const url = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => {
        if (!URL.canParse(text)) return false;
        const { protocol, hostname } = new URL(text);
        return protocols.includes(protocol) && (hostname !== '' || protocols === POSTGRES);
      },
      secretly(`an address that begins with ${protocols.join('// or ')}//`),
    )
    .optional();
