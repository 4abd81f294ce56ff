-- A database that callsheet 0.2.0 wrote (`.dump`): four people called, one cancelled, one suppressed, two waiting.
BEGIN TRANSACTION;
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
INSERT INTO meta VALUES('opened','1');
INSERT INTO meta VALUES('database_id','086ffd62-133b-4a24-8998-b143a0e5c951');
INSERT INTO meta VALUES('journal_verified','907');
CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  kind TEXT NOT NULL CHECK (kind = 'list' OR kind = 'call'),
  service TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated = 0 OR simulated = 1),
  state TEXT NOT NULL CHECK (state = 'draft' OR state = 'running' OR state = 'paused' OR state = 'completed'
    OR state = 'cancelled'),
  pause_reason TEXT CHECK (pause_reason = 'operator' OR pause_reason = 'key' OR pause_reason = 'profile'
    OR pause_reason = 'breaker'),
  pause_detail TEXT,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  -- When the next call is due by the campaign's pace, epoch ms (fractional).
  pace_due_at REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, cancelled_after INTEGER, archived_at INTEGER,
  CHECK ((state = 'paused') = (pause_reason IS NOT NULL))
) STRICT;
INSERT INTO campaigns VALUES('cmp_eee869c1bfcd47e689b21ca0297fc8fb','renewals','list','simulated',1,'running',NULL,NULL,'{"agent":"ag_demo","country":"US","timezone":"UTC","concurrency":5,"pace":null,"requests":5,"rules":["always"],"polling":{"floorMs":1000,"ceilingMs":60000,"deadlineMs":7200000},"longestCallMs":900000,"reconcileForMs":600000,"results":{"file":null,"format":"csv"}}',0.0,1795844015779,NULL,NULL);
CREATE TABLE history (
  seq INTEGER PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
INSERT INTO history VALUES(1,'cmp_eee869c1bfcd47e689b21ca0297fc8fb',1795844015779,'ada','campaign.created','{"service":"simulated","live":false,"rulesFrom":"default","agentSeen":{"id":"ag_demo","name":"Demo agent","prompt":"9b7fe2c67e6c35cd26b485d4b344b94b"}}');
INSERT INTO history VALUES(2,'cmp_eee869c1bfcd47e689b21ca0297fc8fb',1795844015829,'ada','campaign.started','{"service":"http://127.0.0.1:43945","live":false,"settings":{"agent":"ag_demo","country":"US","timezone":"UTC","concurrency":5,"pace":null,"requests":5,"rules":["always"],"polling":{"floorMs":1000,"ceilingMs":60000,"deadlineMs":7200000},"longestCallMs":900000,"reconcileForMs":600000,"results":{"file":null,"format":"csv"}},"before":"draft","pause":null}');
INSERT INTO history VALUES(3,'cmp_eee869c1bfcd47e689b21ca0297fc8fb',1795844023389,'ada','lead.cancelled','{"phone":"+12145550106"}');
CREATE TABLE lists (
  id TEXT PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  headers TEXT NOT NULL CHECK (json_valid(headers)),
  at INTEGER NOT NULL,
  -- Leads of a list are called once its import has finished.
  finished_at INTEGER,
  good INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  duplicates INTEGER NOT NULL DEFAULT 0, suppressed INTEGER NOT NULL DEFAULT 0, mapping TEXT CHECK (mapping IS NULL OR json_valid(mapping)), as_of INTEGER, bytes INTEGER, encoding TEXT, sheet TEXT, complete INTEGER NOT NULL DEFAULT 0 CHECK (complete = 0 OR complete = 1), importer TEXT CHECK (importer IS NULL OR json_valid(importer)),
  UNIQUE (campaign_id, number),
  UNIQUE (campaign_id, sha256)
) STRICT;
INSERT INTO lists VALUES('list_bc31a40a03ec4032a416c872f0dfe301','cmp_eee869c1bfcd47e689b21ca0297fc8fb',1,'/home/ada/renewals.csv','1278233f5a3a94a5b283ab66f06462730adcee44b7235dec6eafd92a807f9962','["name","company","phone","timezone","plan","renewal_date","note"]',1795844015789,1795844015789,8,0,0,0,'{"phones":[2],"fields":{"name":0,"company":1,"timezone":3},"doNotCall":[],"mayCall":[],"callStates":[],"unclear":[],"labels":[],"notTheirs":[],"ignored":[]}',NULL,709,NULL,NULL,0,NULL);
CREATE TABLE leads (
  row INTEGER PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  list_id TEXT NOT NULL REFERENCES lists (id),
  -- Order over all lists: list number * 10^10 + line.
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state = 'waiting' OR state = 'calling' OR state = 'done'),
  result TEXT CHECK (result = 'answered' OR result = 'voicemail' OR result = 'no_answer' OR result = 'busy'
    OR result = 'declined' OR result = 'failed' OR result = 'rejected' OR result = 'invalid_number'
    OR result = 'opted_out' OR result = 'unconfirmed' OR result = 'no_result' OR result = 'suppressed'
    OR result = 'expired' OR result = 'cancelled'),
  result_source TEXT CHECK (result_source = 'service' OR result_source = 'derived' OR result_source = 'callsheet'),
  reason TEXT,
  not_before INTEGER NOT NULL DEFAULT 0,
  -- The highest ordinal among the attempts that count: all but the released ones.
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0), not_called INTEGER NOT NULL DEFAULT 0 CHECK (not_called >= 0), cancelled_after INTEGER,
  CHECK ((state = 'done') = (result IS NOT NULL)),
  CHECK ((result IS NULL) = (result_source IS NULL)),
  -- Nobody is in one campaign twice.
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT;
INSERT INTO leads VALUES(1,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000002,2,'+12125550100','["Alex Example","Example Plumbing","+1 212 555 0100","America/New_York","basic","2026-01-01",""]','done','answered','derived',NULL,0,1,0,NULL);
INSERT INTO leads VALUES(2,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000003,3,'+13125550101','["Blake Example","Example Dental, Inc.","(312) 555-0101","America/Chicago","plus","2026-02-02",""]','done','no_answer','derived',NULL,0,1,0,NULL);
INSERT INTO leads VALUES(3,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000004,4,'+13035550102','["Casey Example","Example Bakery","303-555-0102","America/Denver","pro","2026-03-03",""]','done','answered','derived',NULL,0,1,0,NULL);
INSERT INTO leads VALUES(4,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000005,5,'+14155550103','["Dana Example","Example Garage","+14155550103","America/Los_Angeles","basic","2026-04-04","Asked for a call after lunch"]','done','answered','derived',NULL,0,1,0,NULL);
INSERT INTO leads VALUES(5,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000006,6,'+16025550104','["Eden Example","Example Florist","1-602-555-0104","America/Phoenix","plus","2026-05-05",""]','waiting',NULL,NULL,NULL,0,0,0,NULL);
INSERT INTO leads VALUES(6,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000007,7,'+16175550105','["Finley Example","Example Law","617.555.0105","America/New_York","pro","2026-06-06",""]','done','suppressed','callsheet','on the suppression list (by the operator on 2026-11-28)',0,0,0,NULL);
INSERT INTO leads VALUES(7,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000008,8,'+12145550106','["Gray Example","Example Roofing","+1 214 555 0106","America/Chicago","basic","2026-07-07",""]','done','cancelled','callsheet','withdrawn by the operator',0,0,0,4);
INSERT INTO leads VALUES(8,'cmp_eee869c1bfcd47e689b21ca0297fc8fb','list_bc31a40a03ec4032a416c872f0dfe301',10000000009,9,'+12065550107','["Harper Example","Example Fitness","(206) 555-0107","America/Los_Angeles","plus","2026-08-08",""]','waiting',NULL,NULL,NULL,0,0,0,NULL);
CREATE TABLE attempts (
  -- Order of the claims over all campaigns; the dial journal counts by it.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The idempotency key: the same again after a release.
  key TEXT NOT NULL,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  phone TEXT NOT NULL,
  service TEXT NOT NULL,
  agent TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  state TEXT NOT NULL CHECK (state = 'intent' OR state = 'placed' OR state = 'ended' OR state = 'settled'
    OR state = 'unknown' OR state = 'rejected' OR state = 'released' OR state = 'unconfirmed' OR state = 'no_result'),
  intent_at INTEGER NOT NULL,
  -- A slot is free after this at the latest.
  holds_until INTEGER NOT NULL,
  owner_host TEXT NOT NULL,
  owner_boot TEXT NOT NULL,
  owner_pid INTEGER NOT NULL,
  -- The service's own answer to the dial, whatever it said; NULL: none came.
  answered_at INTEGER,
  -- Evidence is looked for from then on; NULL for a dial that came back from the journal until somebody looks.
  unknown_at INTEGER,
  detail TEXT,
  call_id TEXT,
  ended_at INTEGER,
  settled_at INTEGER,
  next_look_at INTEGER,
  looks INTEGER NOT NULL DEFAULT 0,
  -- The last answer that could not be read.
  unreadable TEXT, accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted = 0 OR accepted = 1), resolution TEXT CHECK (resolution = 'placed' OR resolution = 'not_placed'
  OR resolution = 'unconfirmed'), resolved_at INTEGER CHECK ((resolved_at IS NULL) = (resolution IS NULL)), resolved_by TEXT CHECK ((resolved_by IS NULL) = (resolution IS NULL)), resolution_note TEXT, result TEXT CHECK (result = 'answered' OR result = 'voicemail'
  OR result = 'no_answer' OR result = 'busy' OR result = 'declined' OR result = 'failed' OR result = 'rejected'
  OR result = 'invalid_number' OR result = 'opted_out' OR result = 'unconfirmed' OR result = 'no_result'
  OR result = 'suppressed' OR result = 'expired' OR result = 'cancelled'), result_source TEXT CHECK (result_source = 'service' OR result_source = 'derived'
  OR result_source = 'callsheet'), slot_until INTEGER DEFAULT 0 CHECK (coalesce(slot_until, -1) = 0
  OR (slot_until IS NOT NULL) = (state = 'intent' OR state = 'placed' OR state = 'unknown'
    OR state = 'unconfirmed')), released INTEGER NOT NULL DEFAULT 0 CHECK (released = 0 OR state = 'released'), found_by_number INTEGER NOT NULL DEFAULT 0 CHECK (found_by_number = 0
  OR found_by_number = 1), begins_at INTEGER,
  CHECK ((state <> 'placed' AND state <> 'ended' AND state <> 'settled' AND state <> 'no_result')
    OR call_id IS NOT NULL),
  CHECK ((state = 'placed' OR state = 'ended') = (next_look_at IS NOT NULL)),
  CHECK ((state = 'settled') = (settled_at IS NOT NULL))
) STRICT;
INSERT INTO attempts VALUES(1,'12092a4fd1d8bb95a40105c0d122c77f','cmp_eee869c1bfcd47e689b21ca0297fc8fb',1,'+12125550100','simulated','ag_demo',1,'settled',1795844015882,1795844915882,'host-1','f069aafb-3e91-4dc8-b921-3c4b0971af15',24119,1795844015924,NULL,NULL,'call_b39a16649a27f392b4a7c342',1795844017930,1795844019975,NULL,3,NULL,0,NULL,NULL,NULL,NULL,'answered','derived',NULL,0,0,NULL);
INSERT INTO attempts VALUES(2,'5dd7164d7b8d15c4678c473b3323f83e','cmp_eee869c1bfcd47e689b21ca0297fc8fb',2,'+13125550101','simulated','ag_demo',1,'settled',1795844015934,1795844915934,'host-1','f069aafb-3e91-4dc8-b921-3c4b0971af15',24119,1795844015945,NULL,NULL,'call_e81526d06e5d308c9ccb044a',1795844017207,1795844017207,NULL,0,NULL,0,NULL,NULL,NULL,NULL,'no_answer','derived',NULL,0,0,NULL);
INSERT INTO attempts VALUES(3,'4d325b02d39bbb605003ea53b40c9eae','cmp_eee869c1bfcd47e689b21ca0297fc8fb',3,'+13035550102','simulated','ag_demo',1,'settled',1795844015934,1795844915934,'host-1','f069aafb-3e91-4dc8-b921-3c4b0971af15',24119,1795844015949,NULL,NULL,'call_839ee985a118b572cd7debd9',1795844019215,1795844021449,NULL,4,NULL,0,NULL,NULL,NULL,NULL,'answered','derived',NULL,0,0,NULL);
INSERT INTO attempts VALUES(4,'c8a3b8340cdae42b37b3574fda3b3812','cmp_eee869c1bfcd47e689b21ca0297fc8fb',4,'+14155550103','simulated','ag_demo',1,'settled',1795844015934,1795844915934,'host-1','f069aafb-3e91-4dc8-b921-3c4b0971af15',24119,1795844015951,NULL,NULL,'call_a528557e23deae4fad837bf4',1795844018211,1795844020249,NULL,3,NULL,0,NULL,NULL,NULL,NULL,'answered','derived',NULL,0,0,NULL);
CREATE TABLE analytics (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq),
  received_at INTEGER NOT NULL,
  transcript TEXT,
  turns TEXT CHECK (turns IS NULL OR json_valid(turns)),
  duration_ms INTEGER,
  sentiment_label TEXT,
  sentiment_score REAL,
  summary TEXT,
  recording_url TEXT,
  cost_currency TEXT,
  raw TEXT NOT NULL
, extracted TEXT CHECK (extracted IS NULL OR json_valid(extracted)), cost TEXT) STRICT;
INSERT INTO analytics VALUES(1,1795844019975,replace('agent: Good day, my name is Demo agent. I am an automated assistant. Is this a good time?\nperson: Yes, sure, go ahead.\nagent: Let me say why I am calling. What I am here to do is this: remind people of their appointment this week.\nperson: Oh yes, good timing.\nagent: May I ask how things stand with the appointment on your side?\nperson: Very well so far, I am happy with it.\nagent: Is there someone else I should speak to about the appointment?\nperson: No, you are right with me, and I like the idea.\nagent: So what may I note down?\nperson: Perfect, let us do it that way. Thank you for calling.\nagent: Excellent, I have noted that. Thank you and have a nice day.','\n',char(10)),'[{"speaker":"agent","text":"Good day, my name is Demo agent. I am an automated assistant. Is this a good time?"},{"speaker":"person","text":"Yes, sure, go ahead."},{"speaker":"agent","text":"Let me say why I am calling. What I am here to do is this: remind people of their appointment this week."},{"speaker":"person","text":"Oh yes, good timing."},{"speaker":"agent","text":"May I ask how things stand with the appointment on your side?"},{"speaker":"person","text":"Very well so far, I am happy with it."},{"speaker":"agent","text":"Is there someone else I should speak to about the appointment?"},{"speaker":"person","text":"No, you are right with me, and I like the idea."},{"speaker":"agent","text":"So what may I note down?"},{"speaker":"person","text":"Perfect, let us do it that way. Thank you for calling."},{"speaker":"agent","text":"Excellent, I have noted that. Thank you and have a nice day."}]',48700,'positive',0.44000000000000000222,NULL,NULL,NULL,'{"call_id":"call_b39a16649a27f392b4a7c342","agent_id":"ag_demo","phone_number":"+12125550100","status":"completed","started_at":"2026-11-28T05:33:35.922Z","ended_at":"2026-11-28T05:33:37.054Z","duration":48.7,"sentiment":{"label":"positive","score":0.44},"transcript":"agent: Good day, my name is Demo agent. I am an automated assistant. Is this a good time?\nperson: Yes, sure, go ahead.\nagent: Let me say why I am calling. What I am here to do is this: remind people of their appointment this week.\nperson: Oh yes, good timing.\nagent: May I ask how things stand with the appointment on your side?\nperson: Very well so far, I am happy with it.\nagent: Is there someone else I should speak to about the appointment?\nperson: No, you are right with me, and I like the idea.\nagent: So what may I note down?\nperson: Perfect, let us do it that way. Thank you for calling.\nagent: Excellent, I have noted that. Thank you and have a nice day.","turns":[{"role":"agent","text":"Good day, my name is Demo agent. I am an automated assistant. Is this a good time?"},{"role":"person","text":"Yes, sure, go ahead."},{"role":"agent","text":"Let me say why I am calling. What I am here to do is this: remind people of their appointment this week."},{"role":"person","text":"Oh yes, good timing."},{"role":"agent","text":"May I ask how things stand with the appointment on your side?"},{"role":"person","text":"Very well so far, I am happy with it."},{"role":"agent","text":"Is there someone else I should speak to about the appointment?"},{"role":"person","text":"No, you are right with me, and I like the idea."},{"role":"agent","text":"So what may I note down?"},{"role":"person","text":"Perfect, let us do it that way. Thank you for calling."},{"role":"agent","text":"Excellent, I have noted that. Thank you and have a nice day."}]}',NULL,NULL);
INSERT INTO analytics VALUES(2,1795844017207,'',NULL,0,NULL,NULL,NULL,NULL,NULL,'{"call_id":"call_e81526d06e5d308c9ccb044a","agent_id":"ag_demo","phone_number":"+13125550101","status":"completed","started_at":"2026-11-28T05:33:35.944Z","ended_at":"2026-11-28T05:33:35.967Z","duration":0,"sentiment":null,"transcript":"","turns":[]}',NULL,NULL);
INSERT INTO analytics VALUES(3,1795844021449,replace('agent: Good day, my name is Demo agent. I am an automated assistant. Is this a good time?\nperson: Yes, sure, go ahead.\nagent: Thank you. What I am here to do is this: ask whether the time still suits, and offer another day if it does not.\nperson: Oh yes, good timing.\nagent: Shall I go through the appointment with you briefly?\nperson: Yes please, that would be great.\nagent: Would it help if a colleague wrote to you about the appointment?\nperson: That would be wonderful, thank you.\nagent: Is there someone else I should speak to about the appointment?\nperson: No, you are right with me, and I like the idea.\nagent: Which day would be good to come back to the appointment?\nperson: Any day this week is fine with me.\nagent: How important is the appointment to you at the moment?\nperson: Very important, I am glad you mention it.\nagent: May I ask how things stand with the appointment on your side?\nperson: Very well so far, I am happy with it.\nagent: Is there anything about the appointment that is not clear yet?\nperson: No, you explain it very well.\nagent: What would you change about the appointment if you could?\nperson: Nothing really, it suits me well.\nagent: Did our message about the appointment reach you?\nperson: Yes, thank you, that was helpful.\nagent: Has anything changed about the appointment lately?\nperson: Yes, for the better. I was going to ask you about it myself.\nagent: How shall we leave it then?\nperson: Great, please put me down for it.\nagent: Excellent, I have noted that. Thank you and have a nice day.','\n',char(10)),'[{"speaker":"agent","text":"Good day, my name is Demo agent. I am an automated assistant. Is this a good time?"},{"speaker":"person","text":"Yes, sure, go ahead."},{"speaker":"agent","text":"Thank you. What I am here to do is this: ask whether the time still suits, and offer another day if it does not."},{"speaker":"person","text":"Oh yes, good timing."},{"speaker":"agent","text":"Shall I go through the appointment with you briefly?"},{"speaker":"person","text":"Yes please, that would be great."},{"speaker":"agent","text":"Would it help if a colleague wrote to you about the appointment?"},{"speaker":"person","text":"That would be wonderful, thank you."},{"speaker":"agent","text":"Is there someone else I should speak to about the appointment?"},{"speaker":"person","text":"No, you are right with me, and I like the idea."},{"speaker":"agent","text":"Which day would be good to come back to the appointment?"},{"speaker":"person","text":"Any day this week is fine with me."},{"speaker":"agent","text":"How important is the appointment to you at the moment?"},{"speaker":"person","text":"Very important, I am glad you mention it."},{"speaker":"agent","text":"May I ask how things stand with the appointment on your side?"},{"speaker":"person","text":"Very well so far, I am happy with it."},{"speaker":"agent","text":"Is there anything about the appointment that is not clear yet?"},{"speaker":"person","text":"No, you explain it very well."},{"speaker":"agent","text":"What would you change about the appointment if you could?"},{"speaker":"person","text":"Nothing really, it suits me well."},{"speaker":"agent","text":"Did our message about the appointment reach you?"},{"speaker":"person","text":"Yes, thank you, that was helpful."},{"speaker":"agent","text":"Has anything changed about the appointment lately?"},{"speaker":"person","text":"Yes, for the better. I was going to ask you about it myself."},{"speaker":"agent","text":"How shall we leave it then?"},{"speaker":"person","text":"Great, please put me down for it."},{"speaker":"agent","text":"Excellent, I have noted that. Thank you and have a nice day."}]',124600,'positive',0.39000000000000001332,NULL,NULL,NULL,'{"call_id":"call_839ee985a118b572cd7debd9","agent_id":"ag_demo","phone_number":"+13035550102","status":"completed","started_at":"2026-11-28T05:33:35.946Z","ended_at":"2026-11-28T05:33:38.240Z","duration":124.6,"sentiment":{"label":"positive","score":0.39},"transcript":"agent: Good day, my name is Demo agent. I am an automated assistant. Is this a good time?\nperson: Yes, sure, go ahead.\nagent: Thank you. What I am here to do is this: ask whether the time still suits, and offer another day if it does not.\nperson: Oh yes, good timing.\nagent: Shall I go through the appointment with you briefly?\nperson: Yes please, that would be great.\nagent: Would it help if a colleague wrote to you about the appointment?\nperson: That would be wonderful, thank you.\nagent: Is there someone else I should speak to about the appointment?\nperson: No, you are right with me, and I like the idea.\nagent: Which day would be good to come back to the appointment?\nperson: Any day this week is fine with me.\nagent: How important is the appointment to you at the moment?\nperson: Very important, I am glad you mention it.\nagent: May I ask how things stand with the appointment on your side?\nperson: Very well so far, I am happy with it.\nagent: Is there anything about the appointment that is not clear yet?\nperson: No, you explain it very well.\nagent: What would you change about the appointment if you could?\nperson: Nothing really, it suits me well.\nagent: Did our message about the appointment reach you?\nperson: Yes, thank you, that was helpful.\nagent: Has anything changed about the appointment lately?\nperson: Yes, for the better. I was going to ask you about it myself.\nagent: How shall we leave it then?\nperson: Great, please put me down for it.\nagent: Excellent, I have noted that. Thank you and have a nice day.","turns":[{"role":"agent","text":"Good day, my name is Demo agent. I am an automated assistant. Is this a good time?"},{"role":"person","text":"Yes, sure, go ahead."},{"role":"agent","text":"Thank you. What I am here to do is this: ask whether the time still suits, and offer another day if it does not."},{"role":"person","text":"Oh yes, good timing."},{"role":"agent","text":"Shall I go through the appointment with you briefly?"},{"role":"person","text":"Yes please, that would be great."},{"role":"agent","text":"Would it help if a colleague wrote to you about the appointment?"},{"role":"person","text":"That would be wonderful, thank you."},{"role":"agent","text":"Is there someone else I should speak to about the appointment?"},{"role":"person","text":"No, you are right with me, and I like the idea."},{"role":"agent","text":"Which day would be good to come back to the appointment?"},{"role":"person","text":"Any day this week is fine with me."},{"role":"agent","text":"How important is the appointment to you at the moment?"},{"role":"person","text":"Very important, I am glad you mention it."},{"role":"agent","text":"May I ask how things stand with the appointment on your side?"},{"role":"person","text":"Very well so far, I am happy with it."},{"role":"agent","text":"Is there anything about the appointment that is not clear yet?"},{"role":"person","text":"No, you explain it very well."},{"role":"agent","text":"What would you change about the appointment if you could?"},{"role":"person","text":"Nothing really, it suits me well."},{"role":"agent","text":"Did our message about the appointment reach you?"},{"role":"person","text":"Yes, thank you, that was helpful."},{"role":"agent","text":"Has anything changed about the appointment lately?"},{"role":"person","text":"Yes, for the better. I was going to ask you about it myself."},{"role":"agent","text":"How shall we leave it then?"},{"role":"person","text":"Great, please put me down for it."},{"role":"agent","text":"Excellent, I have noted that. Thank you and have a nice day."}]}',NULL,NULL);
INSERT INTO analytics VALUES(4,1795844020249,replace('agent: Hello, this is Demo agent. Do you have a moment?\nperson: Yes, sure, go ahead.\nagent: Let me say why I am calling. What I am here to do is this: remind people of their appointment this week.\nperson: Great, I am all ears.\nagent: Would it help if a colleague wrote to you about the appointment?\nperson: That would be wonderful, thank you.\nagent: Which day would be good to come back to the appointment?\nperson: Any day this week is fine with me.\nagent: How important is the appointment to you at the moment?\nperson: Very important, I am glad you mention it.\nagent: What would you change about the appointment if you could?\nperson: Nothing really, it suits me well.\nagent: So what may I note down?\nperson: I am very happy with that, thank you.\nagent: Lovely, you will hear from us about the appointment. Goodbye.','\n',char(10)),'[{"speaker":"agent","text":"Hello, this is Demo agent. Do you have a moment?"},{"speaker":"person","text":"Yes, sure, go ahead."},{"speaker":"agent","text":"Let me say why I am calling. What I am here to do is this: remind people of their appointment this week."},{"speaker":"person","text":"Great, I am all ears."},{"speaker":"agent","text":"Would it help if a colleague wrote to you about the appointment?"},{"speaker":"person","text":"That would be wonderful, thank you."},{"speaker":"agent","text":"Which day would be good to come back to the appointment?"},{"speaker":"person","text":"Any day this week is fine with me."},{"speaker":"agent","text":"How important is the appointment to you at the moment?"},{"speaker":"person","text":"Very important, I am glad you mention it."},{"speaker":"agent","text":"What would you change about the appointment if you could?"},{"speaker":"person","text":"Nothing really, it suits me well."},{"speaker":"agent","text":"So what may I note down?"},{"speaker":"person","text":"I am very happy with that, thank you."},{"speaker":"agent","text":"Lovely, you will hear from us about the appointment. Goodbye."}]',59500,'positive',0.68000000000000004884,NULL,NULL,NULL,'{"call_id":"call_a528557e23deae4fad837bf4","agent_id":"ag_demo","phone_number":"+14155550103","status":"completed","started_at":"2026-11-28T05:33:35.950Z","ended_at":"2026-11-28T05:33:37.348Z","duration":59.5,"sentiment":{"label":"positive","score":0.68},"transcript":"agent: Hello, this is Demo agent. Do you have a moment?\nperson: Yes, sure, go ahead.\nagent: Let me say why I am calling. What I am here to do is this: remind people of their appointment this week.\nperson: Great, I am all ears.\nagent: Would it help if a colleague wrote to you about the appointment?\nperson: That would be wonderful, thank you.\nagent: Which day would be good to come back to the appointment?\nperson: Any day this week is fine with me.\nagent: How important is the appointment to you at the moment?\nperson: Very important, I am glad you mention it.\nagent: What would you change about the appointment if you could?\nperson: Nothing really, it suits me well.\nagent: So what may I note down?\nperson: I am very happy with that, thank you.\nagent: Lovely, you will hear from us about the appointment. Goodbye.","turns":[{"role":"agent","text":"Hello, this is Demo agent. Do you have a moment?"},{"role":"person","text":"Yes, sure, go ahead."},{"role":"agent","text":"Let me say why I am calling. What I am here to do is this: remind people of their appointment this week."},{"role":"person","text":"Great, I am all ears."},{"role":"agent","text":"Would it help if a colleague wrote to you about the appointment?"},{"role":"person","text":"That would be wonderful, thank you."},{"role":"agent","text":"Which day would be good to come back to the appointment?"},{"role":"person","text":"Any day this week is fine with me."},{"role":"agent","text":"How important is the appointment to you at the moment?"},{"role":"person","text":"Very important, I am glad you mention it."},{"role":"agent","text":"What would you change about the appointment if you could?"},{"role":"person","text":"Nothing really, it suits me well."},{"role":"agent","text":"So what may I note down?"},{"role":"person","text":"I am very happy with that, thank you."},{"role":"agent","text":"Lovely, you will hear from us about the appointment. Goodbye."}]}',NULL,NULL);
CREATE TABLE proven_services (
  fingerprint TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
INSERT INTO proven_services VALUES('562cdf4719a6509f6ab42c0952da107f',1795844015924);
CREATE TABLE runners (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid INTEGER NOT NULL,
  since INTEGER NOT NULL,
  seen_at INTEGER NOT NULL, dials INTEGER NOT NULL DEFAULT 1 CHECK (dials = 0 OR dials = 1),
  PRIMARY KEY (campaign_id, host, boot, pid)
) STRICT;
CREATE TABLE inbox (
  id TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  key TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  headers TEXT NOT NULL CHECK (json_valid(headers)),
  body BLOB NOT NULL, signed INTEGER NOT NULL DEFAULT 0 CHECK (signed = 0 OR signed = 1), times INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1), state TEXT NOT NULL DEFAULT 'received' CHECK (state = 'received'
  OR state = 'applied' OR state = 'hint' OR state = 'unmatched' OR state = 'contradicted' OR state = 'ignored'
  OR state = 'unknown' OR state = 'unreadable'), reason TEXT, type TEXT, call_id TEXT, attempt_key TEXT, attempt_seq INTEGER REFERENCES attempts (seq), decided_at INTEGER, try_at INTEGER, body_sha256 TEXT,
  -- A delivery that is sent again is the same delivery.
  UNIQUE (service, key)
) STRICT;
CREATE TABLE service_holds (
  service TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  -- What it asked for: after a wall clock was set back, the hold lasts no longer than this from then on.
  for_ms INTEGER NOT NULL CHECK (for_ms BETWEEN 0 AND 3600000)
) STRICT;
CREATE TABLE repeatable_dials (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq),
  -- Where the key is known: a hash of the dial's address and the account. Anywhere else it would be a new call.
  account TEXT NOT NULL,
  -- How often it was sent again and may have arrived.
  repeats INTEGER NOT NULL DEFAULT 0 CHECK (repeats >= 0),
  -- When it may be sent again, epoch ms; NULL: by the time at which its own answer was lost.
  due_at INTEGER
, sent_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE captured_leads (
  delivery_id TEXT PRIMARY KEY REFERENCES inbox (id),
  -- NULL until its call is known.
  attempt_seq INTEGER REFERENCES attempts (seq),
  lead_row INTEGER REFERENCES leads (row),
  captured_at INTEGER NOT NULL,
  signed INTEGER NOT NULL CHECK (signed = 0 OR signed = 1),
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT;
CREATE TABLE webhook_tokens (
  service TEXT PRIMARY KEY,
  token TEXT NOT NULL CHECK (token <> ''),
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE suppression (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  action TEXT NOT NULL CHECK (action = 'add' OR action = 'remove'),
  at INTEGER NOT NULL,
  -- Whose word it is: the operator's, a file's, a do-not-call column of a list, or the service's after a call.
  source TEXT NOT NULL CHECK (source = 'operator' OR source = 'file' OR source = 'list' OR source = 'service'),
  note TEXT,
  who TEXT NOT NULL,
  expires_at INTEGER,
  CHECK (action = 'add' OR expires_at IS NULL)
) STRICT;
INSERT INTO suppression VALUES(1,'+16175550105','add',1795844024890,'operator',NULL,'ada',NULL);
CREATE TABLE exported (
  lead_row INTEGER PRIMARY KEY REFERENCES leads (row),
  -- Result, last attempt and its state: when one of them has changed, the lead is new again.
  exported_as TEXT NOT NULL
) STRICT;
CREATE TABLE suppression_lists (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  as_of INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL
) STRICT;
CREATE TABLE refusals (
  lead_row INTEGER PRIMARY KEY REFERENCES leads (row),
  service TEXT NOT NULL,
  -- The service's words without what differs from one answer to the next.
  reason TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  times INTEGER NOT NULL CHECK (times >= 0),
  own INTEGER NOT NULL CHECK (own >= 0),
  since INTEGER NOT NULL,
  -- The attempt that was refused last.
  seq INTEGER NOT NULL,
  -- Calls in progress at the service when it was.
  held INTEGER NOT NULL CHECK (held >= 0),
  -- Another dial was taken since, with at least as many in progress.
  other_taken INTEGER NOT NULL DEFAULT 0 CHECK (other_taken = 0 OR other_taken = 1)
) STRICT;
CREATE TABLE contested_calls (
  service TEXT NOT NULL,
  call_id TEXT NOT NULL,
  attempt_seq INTEGER NOT NULL REFERENCES attempts (seq),
  at INTEGER NOT NULL,
  PRIMARY KEY (service, call_id, attempt_seq)
) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('attempts',4);
INSERT INTO sqlite_sequence VALUES('suppression',1);
CREATE INDEX history_of_campaign ON history (campaign_id, seq);
CREATE INDEX leads_waiting ON leads (campaign_id, not_before, position) WHERE state = 'waiting';
CREATE UNIQUE INDEX attempts_one_open ON attempts (lead_row) WHERE state IN ('intent', 'unknown');
CREATE UNIQUE INDEX attempts_one_call ON attempts (service, call_id) WHERE call_id IS NOT NULL;
CREATE INDEX attempts_to_look_at ON attempts (service, next_look_at) WHERE next_look_at IS NOT NULL;
CREATE UNIQUE INDEX attempts_that_count ON attempts (lead_row, ordinal, released);
CREATE INDEX attempts_holding ON attempts (slot_until, campaign_id, service) WHERE slot_until IS NOT NULL;
CREATE INDEX inbox_to_do ON inbox (service, try_at) WHERE try_at IS NOT NULL;
CREATE INDEX inbox_unmatched ON inbox (service, call_id, attempt_key)
  WHERE state = 'unmatched' AND try_at IS NOT NULL;
CREATE INDEX inbox_newest ON inbox (received_at);
CREATE INDEX captured_leads_of_lead ON captured_leads (lead_row) WHERE lead_row IS NOT NULL;
CREATE INDEX suppression_of_phone ON suppression (phone, seq);
CREATE TRIGGER suppression_never_changes BEFORE UPDATE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;
CREATE TRIGGER suppression_never_forgets BEFORE DELETE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;
CREATE INDEX refusals_unexplained ON refusals (service, held) WHERE other_taken = 0;
CREATE INDEX refusals_by_reason ON refusals (service, reason, seq);
CREATE INDEX leads_that_left ON leads (campaign_id, phone) WHERE result = 'cancelled' AND reason = 'left_list';
PRAGMA application_id = 0x43414c4c;
PRAGMA user_version = 17;
COMMIT;
