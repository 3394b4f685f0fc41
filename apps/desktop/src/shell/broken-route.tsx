import { useRouteError } from 'react-router';
import { BrokenScreen } from './broken-screen.tsx';

/** A screen whose code could not be loaded, most often because a newer version was published meanwhile. */
export function BrokenRoute() {
  const error = useRouteError();
  return <BrokenScreen error={error instanceof Error ? error : new Error(String(error))} />;
}
