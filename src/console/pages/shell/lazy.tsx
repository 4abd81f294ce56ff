import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { problemOf } from '../api/loaded.ts';
import { Loading, ProblemNotice } from '../parts/notice.tsx';
import type { Problem } from '../../../views/fields.ts';

/**
 * A page whose files are loaded when it is first shown. A console that was updated has other files: a page that cannot
 * be loaded says so, and a reload brings it.
 */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): FunctionComponent<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, setLoaded] = useState(loaded !== undefined);
    const [problem, setProblem] = useState<Problem>();
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (module) => {
          loaded = module.default;
          setLoaded(true);
        },
        (error: unknown) =>
          setProblem({
            ...problemOf(error),
            detail: 'This page could not be loaded.',
            hint: 'reload it: the console may have been updated',
          }),
      );
    }, []);
    if (problem !== undefined) return <ProblemNotice problem={problem} />;
    const Loaded = loaded;
    return Loaded === undefined ? <Loading what="the page" /> : <Loaded {...props} />;
  };
}
