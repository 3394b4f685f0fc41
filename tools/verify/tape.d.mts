export function canonical(value: unknown): string;
export function tapeFault(texts: readonly string[], digits?: number): string | undefined;
export function keysOf(
  entries: readonly {
    readonly id: string;
    readonly algorithm: string;
    readonly publicKey: string;
    readonly handover?:
      | {
          readonly from: string;
          readonly at: number;
          readonly signature: string;
          readonly countersignature: string;
        }
      | undefined;
  }[],
): Map<string, unknown>;
