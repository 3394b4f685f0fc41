import { useIsDemo, useParameter, useServerInfo } from './server-info.ts';

/** Who runs this exchange, as they have named themselves; what is empty was not named. */
export interface Operator {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/** Undefined while it is being fetched; null where the exchange does not say it. */
export function useOperator(): Operator | null | undefined {
  const server = useServerInfo();
  const isDemo = useIsDemo();
  const entity = useParameter('legal_entity');
  const address = useParameter('legal_address');
  const governingLaw = useParameter('governing_law');
  const email = useParameter('customer_service_email');
  const reads = [server, entity, address, governingLaw, email];
  if (reads.some(({ error }) => error !== null)) return null;
  if (server.data === undefined || entity.data === undefined || address.data === undefined) return undefined;
  if (governingLaw.data === undefined || email.data === undefined) return undefined;
  return {
    isDemo,
    entity: entity.data,
    address: address.data,
    governingLaw: governingLaw.data,
    email: email.data,
  };
}
