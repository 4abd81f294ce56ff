-- An opt-out is a conversation, too, and a refusal.
DROP INDEX attempts_with_silence;
CREATE INDEX attempts_with_silence ON attempts (phone, result, ended_at, campaign_id)
  WHERE result = 'opted_out' OR result = 'answered' OR result = 'declined';
