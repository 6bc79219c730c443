/** Writes a store's rows as a step would, in one statement, without a step around them. */
export { writeNow as writeRows } from '../../shared/adapters/postgres/row-write.ts';
