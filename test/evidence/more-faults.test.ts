import './machine.ts';
import { nightsFullOfFaults } from './nights.ts';

nightsFullOfFaults(1_000, 2_000);
