import { useIsDemo, useParameter, useServerInfo } from './server-info.ts';

/** Who runs this exchange, as they have named themselves; what is empty was not named. */
export interface Operator {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/** Undefined until all of it is known. */
export function useOperator(): Operator | undefined {
  const isKnown = useServerInfo().data !== undefined;
  const isDemo = useIsDemo();
  const entity = useParameter('legal_entity').data;
  const address = useParameter('legal_address').data;
  const governingLaw = useParameter('governing_law').data;
  const email = useParameter('customer_service_email').data;
  if (!isKnown || entity === undefined || address === undefined) return undefined;
  if (governingLaw === undefined || email === undefined) return undefined;
  return { isDemo, entity, address, governingLaw, email };
}
