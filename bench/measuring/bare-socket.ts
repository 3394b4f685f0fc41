/**
 * Runs a bare WebSocket server that answers every message with the same text, without reading it. Its processor time is
 * what messages cost before a server has done anything. Prints the port.
 */
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerProcessorTime } from './processor-time.ts';

/** A text with the fields and the length of an answer of the WebSocket API to a filled order. */
const ANSWER = JSON.stringify({
  id: 1,
  status: 200,
  result: {
    symbol: 'BTCUSDT',
    orderId: 1_234_567,
    orderListId: -1,
    clientOrderId: '00000000-0000-0000-0000-000000000000',
    transactTime: 1_790_000_000_000,
    price: '50000.00',
    origQty: '0.00100000',
    executedQty: '0.00100000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '50.00000000',
    status: 'FILLED',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    workingTime: 1_790_000_000_000,
    selfTradePreventionMode: 'EXPIRE_MAKER',
  },
});

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', () => socket.send(ANSWER));
});
server.on('listening', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
answerProcessorTime();
process.once('SIGTERM', () => process.exit(0));
