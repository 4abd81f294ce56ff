import './machine.ts';
import { nightsFullOfFaults } from './nights.ts';

nightsFullOfFaults(0, 1_000);
