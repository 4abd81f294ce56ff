import type { Services } from '../../contract/services.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Lines } from '../parts/lines.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ServiceCard } from './service-card.tsx';
import './services.css';

/** `/services`: who makes the calls, and what is known of each without asking it. */
export default function ServicesPage() {
  const { value, problem, reload } = useLoaded((signal) => get<Services>('/services', signal), []);
  return (
    <>
      <PageHead
        title="Services"
        about="Who makes the calls. Nothing is asked of a service until it is examined."
      >
        <button class="button" type="button" onClick={reload}>
          <Icon name="replay" />
          Read again
        </button>
      </PageHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the services" />}
      {value !== undefined && (
        <>
          <ul role="list" class="stack services">
            {value.items.map((service) => (
              <li key={service.name}>
                <ServiceCard service={service} />
              </li>
            ))}
          </ul>
          <AddOne file={value.file} isThere={value.fileExists} />
        </>
      )}
    </>
  );
}

const ENTRY = [
  'main:',
  '  url: https://voice.example.com',
  '  profile: voice-agent      # how it speaks: a file of profiles/ by name, or a path',
  '  keyEnv: VOICE_API_KEY     # the variable that holds its key; the key never stands here',
  '  maxCalls: 20              # calls in progress at once, over all campaigns',
];

function AddOne({ file, isThere }: { file: string; isThere: boolean }) {
  return (
    <section class="stack tight" aria-labelledby="add">
      <h2 id="add">Add a service</h2>
      <p>
        Services are named in <code class="break">{file}</code> on the machine of the console
        {isThere ? '' : ', which does not exist yet'}. Add an entry such as this one, set the
        variable of its key where the console is started, and read again:
      </p>
      <Lines label="An entry of the services file" lines={ENTRY} />
    </section>
  );
}
