import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls';
import { tlsRequest } from './wire.ts';

export type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

export type Transport = {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsMode;
  /** A PEM file with the authorities to trust instead of the system's. */
  readonly rootCertificate: string | undefined;
};

/** Opens a connection, with TLS where it is wanted. How long that may take is up to the signal's owner. */
export async function openTransport(transport: Transport, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: transport.host, port: transport.port, noDelay: true });
  const stop = () => socket.destroy(new Error('given up'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await happened(socket, 'connect');
    return transport.tls === 'disable' ? socket : await startTls(socket, transport);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function startTls(socket: Socket, transport: Transport): Promise<Socket> {
  socket.write(tlsRequest);
  const answer = await happened(socket, 'data');
  // Anything after the one letter was sent by somebody in between, before there was a secret to share.
  if (!(answer instanceof Buffer) || answer.length !== 1) throw new Error('its answer to the TLS request is malformed');
  if (answer.toString('latin1') !== 'S') {
    if (transport.tls === 'prefer') return socket;
    throw new Error(`it does not speak TLS, and sslmode=${transport.tls} asks for it`);
  }
  const secure = connectTls({ socket, ...tlsOptions(transport) });
  await happened(secure, 'secureConnect');
  return secure;
}

/** The meaning that libpq gives to the modes: only the verifying ones look at the certificate. */
function tlsOptions({ tls, host, rootCertificate }: Transport): ConnectionOptions {
  const verifies = tls === 'verify-ca' || tls === 'verify-full' || (tls === 'require' && rootCertificate !== undefined);
  return {
    rejectUnauthorized: verifies,
    ...(isIP(host) === 0 && { servername: host }),
    ...(rootCertificate !== undefined && { ca: readFileSync(rootCertificate) }),
    // Told explicitly which name to look for: Node compares with "localhost" when the host is an address.
    checkServerIdentity: (_name, certificate) =>
      tls === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  };
}

function happened(socket: Socket, event: 'connect' | 'data' | 'secureConnect'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onEvent = (value: unknown) => settle(() => resolve(value));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error('it closed the connection')));
    function settle(finish: () => void): void {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      finish();
    }
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
  });
}
