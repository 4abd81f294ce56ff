import build from '../../helpers/build.ts';
import { unpackedBrowser } from './unpacked.ts';

/** Before the first test: builds the program and its pages, and unpacks the browser. */
export default function start(): void {
  build();
  unpackedBrowser();
}
