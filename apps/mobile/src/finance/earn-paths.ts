import { useEarn } from '@exchange/web-kit/finance/earn.ts';
import { holdingPath, paths } from '../paths.ts';

/** Where the screens of the kind that is shown are. */
export function useEarnPaths() {
  const { part } = useEarn();
  return {
    list: paths[part],
    record: paths[`${part}Record`],
    holding: (id: string) => holdingPath(id, part),
  };
}
