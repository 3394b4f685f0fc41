import { useIsDemo, useParameter, useServerInfo } from './server-info.ts';

/**
 * The company that operates the exchange, from the server's settings; a detail that is not configured is an empty text.
 */
export interface Operator {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/**
 * The company that operates the exchange; undefined until its details have loaded, null if any of them cannot be
 * loaded.
 */
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
