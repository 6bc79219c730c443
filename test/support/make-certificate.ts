export { type MadeCertificate, makeCertificate } from '../../infra/embedded/make-certificate.ts';
