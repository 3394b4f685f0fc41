import { Navigate, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { orderPath } from '../paths.ts';

/**
 * Redirects an order link of the mobile site, `/account/order?id=…`, to the records screen with that order's details;
 * without an id to the records screen.
 */
export default function OrderLink() {
  const [search] = useSearchParams();
  const id = search.get('id');
  return <Navigate to={id === null ? paths.records : orderPath(id)} replace />;
}
