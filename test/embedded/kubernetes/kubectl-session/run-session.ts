import { type ChildProcess, spawn } from 'node:child_process';
