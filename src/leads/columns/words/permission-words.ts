import { foldLetters, foldWords, phraseTest } from '../../../text/fold-words.ts';

/**
 * Words that refuse only together with a word of another class, so that each language needs its words once and not
 * every sentence made of them; see `phraseTest` for the notation. Languages are in the order of `DO_NOT_CALL`. Source:
 * the languages themselves; names of registries and fields of programs are in `DO_NOT_CALL`.
 */

/** Somebody does not want something. */
const UNWILLING =
  'not_want/not_wish/doesn_t_want/don_t_want/didn_t_want/doesn_t_wish/not_wanting/wants_no/asked_not/asks_not/requested_not/requested_no/wishes_not/prefers_not/does_not_consent/do_not_consent/no_more/no_further/never_again/cease/quit/stop/stopped | möchte/möchten/will/wollen/wünscht/wünschen * nicht/keine/keinen/kein | nie_wieder/nie_mehr/niemals/keine_weiteren/keinerlei | ne_souhaite/ne_veut/ne_désire/ne_souhaitent/ne_veulent/ne_plus/plus_jamais/ne_jamais/cesser/arrêter/arrêtez/refuse | no_desea/no_quiere/no_desean/no_quieren/pide_no/pidió_no/solicita_no/solicitó_no/no_volver/no_vuelva/no_vuelvan/nunca_más/no_insistir/dejar_de/dejen_de | não_deseja/não_quer/não_pretende/pediu_para_não/pede_para_não/solicitou_não/nunca_mais/parar_de/não_voltar/não_insistir | não * mais | non_vuole/non_desidera/non_intende/chiede_di_non/chiesto_di_non/mai_più/smettere_di/non_richiamare | wil/wilt/wenst/willen/wensen * niet/geen | nooit_meer/nooit/stoppen_met | vill/önskar * inte/ej/inga | aldrig_mer/aldrig_igen/inga_fler/sluta/avböjer | vil/ønsker * ikke/ingen | aldrig_mere/ingen_flere/stop_med/aldri_mer/slutt_å/frabeder | ei_halua/ei_toivo/ei_haluta/kieltää/kieltänyt/ei_enää/älä_enää/ei_koskaan/lopeta | nie_chce/nie_życzy/nie_zgadza/prosi_o_nie…/prosił_o_nie…/prosiła_o_nie…/odmawia/nigdy_więcej/więcej_nie/już_nie/proszę_nie/przestać | не_хочет/не_желает/не_хотят/просит_не/просил_не/просила_не/попросил_не/попросила_не/больше_не/никогда_не/перестать/перестаньте/прекратить/прекратите/не_надо/не_нужно | не * больше | не_хоче/не_бажає/просить_не/просив_не/просила_не/попросив_не/попросила_не/більше_не/ніколи_не/припинити/припиніть/перестаньте/не_треба/не_потрібно | не_желае/не_иска/повече_не/никога_не/спрете | nechce/nepřeje/nesouhlasí/odmítá | už/víckrát/nikdy/znovu/více ne… | nechce/neželá/nesúhlasí/odmieta | už/viackrát/nikdy/znova/viac ne… | nem_kér/nem_kíván/nem_akar/nem_szeretne/nem_óhajt/kérte_ne/kéri_ne/elutasít…/visszautasít…/soha_többet/soha_többé | ne * többet/többé | nu_dorește/nu_vrea/nu_mai/refuză/niciodată/cerut_să_nu/cere_să_nu/încetați | istemiyor/istemedi/istememekte…/reddediyor/bir_daha | δεν_θέλει/δεν_επιθυμεί/δεν_επιθυμώ/δε_θέλει/αρνείται/ζήτησε_να_μη/ζήτησε_να_μην/ποτέ_ξανά/όχι_άλλες | nenori/nepageidauja/nesutinka/atsisak…/prašo_ne… | daugiau/niekada ne… | nevēlas/negrib/nepiekrīt/lūdz_ne… | vairs/nekad/vairāk ne… | ei_soovi/ei_taha/palub_mitte/keeldu…/mitte_enam/enam_mitte/ära_enam/ärge_enam | ne_želi/neće/noče/ne_dozvoljava/traži_da_ne/više_ne/nikada_ne/prestanite/več_ne/nikoli_ne/не_жели/неће/више_не | ne * više/več | tidak_mau/tidak_ingin/tidak_bersedia/tidak_berkenan/menolak/minta_jangan/minta_tidak/berhenti | jangan/tidak * lagi | không_muốn/không_đồng_ý/yêu_cầu_không/yêu_cầu_ngừng/ngừng | đừng/không * nữa | नहीं_चाहते/नहीं_चाहता/नहीं_चाहती/नहीं_चाहिए | दोबारा/फिर/कभी * न/मत/नहीं | لا_يرغب/لا_ترغب/لا_يريد/لا_تريد/يرفض/ترفض/طلب_عدم/طلبت_عدم/يطلب_عدم/توقف/أوقفوا | نمی_خواهد/نمیخواهد/مایل_نیست/تمایل_ندارد/درخواست_عدم | نہیں_چاہتا/نہیں_چاہتے/نہیں_چاہتی | دوبارہ/آئندہ * نہ/مت | לא_רוצה/לא_מעוניין/לא_מעוניינת/מסרב/מסרבת/ביקש_לא/ביקשה_לא/ביקש_שלא/ביקשה_שלא/מבקש_לא/מבקש_שלא/להפסיק/תפסיקו/הפסיקו | לא * יותר/שוב | =ไม่ต้องการ/ไม่ประสงค์/ไม่อยาก/หยุด/เลิก/希望しない/希望せず/希望しません/したくない/望まない/しないで/かけないで/二度と/不希望/不想/不愿/不願/不再/别再/別再/勿再/不要再/要求停止/원하지않/원치않/하지마/하지말/다시는/더이상/그만';

/** To take somebody off; together with a list, a call, or a word for asking. */
const TAKE_OFF =
  'remove/removal/delete/deletion/erase/erasure/strike | take/get * off | entfernen/entfernung/löschen/löschung/streichen/streichung/austragen/austragung/löschantrag/löschwunsch | retirer/retirez/retrait/supprimer/supprimez/suppression/radier/radiation/rayer/effacer/effacement/désinscrire | eliminar/eliminación/borrar/quitar/sacar/baja/retirar/suprimir/supresión/excluir | remover/remoção/excluir/exclusão/apagar/tirar/descadastrar | rimuovere/rimozione/cancellare/cancellazione/togliere/eliminare/depennare | verwijderen/verwijder/verwijdering/uitschrijven/schrappen | ta_bort/radera/stryk/avföra/borttagning | fjern/fjerne/fjernes/slet/slette/slettes/sletning/slett/sletting | poista/poistaa/poistettava/poisto/poistopyyntö | usunąć/usuń/usunięcie/wykreślić/wykreśl/skreślić/wypisać | удалить/удалите/удаление/исключить/исключите/убрать/уберите/вычеркнуть | видалити/видаліть/видалення/вилучити/виключити/прибрати/викреслити | премахнете/премахване/изтрийте/изтриване/махнете/заличаване | odstranit/odstranění/vymazat/výmaz/smazat/vyřadit/vyškrtnout | odstrániť/odstránenie/vymazať/vyradiť/vyškrtnúť | töröl/törlés/törölje/töröljék/törölni/törlését/eltávolít…/vegye_le/vegyék_le | șterge/ștergere/ștergeți/elimina/eliminare/eliminați/scoate/scoateți/radiere | çıkarın/çıkarılsın/çıkar/sil/silin/silinsin/kaldırın | αφαίρεση/αφαιρέστε/διαγραφή/διαγράψτε/διαγραφεί | pašalinti/pašalinkite/išbraukti/ištrinti | izņemt/izdzēst/dzēst/svītrot/svītrojiet/noņemt | eemalda/eemaldage/eemaldada/kustuta/kustutage/kustutada | ukloni/uklonite/ukloniti/obriši/obrišite/obrisati/izbriši/izbrisati/odstrani/odstranite/уклони/уклоните/обриши | hapus/keluarkan/coret | xóa/gỡ/loại_khỏi | हटा…/हटाएं/मिटा… | إزالة/احذف/احذفوا/حذف/شطب | حذف/خارج_کنید | ہٹا/ہٹائیں/نکال/نکالیں | להסיר/הסר/הסירו/הסרה/למחוק/מחקו/תמחקו/תסירו | =ลบ/นำออก/เอาออก/ตัดออก/削除/外して/删除/刪除/移除/除名/剔除/삭제/제외/빼주';
const LISTS =
  'list/lists/database/register/registry/call_list/calling_list | liste/verteiler/kartei/datenbank/anrufliste | listes/fichier/fichiers | lista/listas/listado/base/cadastro/elenco/archivio | lijst/bellijst/bestand | listan/registret/ringlista/listen/ringeliste/registeret | luettelo…/rekister…/lista…/soittolista… | listy/bazy/bazie | список/списка/базы/списку/бази | списък/списъка | seznam/seznamu/databáze/zoznam/zoznamu/databázy | listáról/listából/adatbázisból | listă/lista/baza | listeden/listesinden/listemizden | λίστα/λίστας/κατάλογο | sąrašo/saraksta/nimekirjast/loendist/popisa/popis/seznama/са_списка | daftar/danh_sách/सूची/लिस्ट/قائمة/القائمة/القوائم/لیست/فہرست/لسٹ/רשימה/מהרשימה/מרשימת/הרשימה | =名单/名單/列表/リスト/名簿/명단/목록/리스트/รายชื่อ';
const ASKED =
  'request/requests/requested/requesting/asked/asks/please/pls | gewünscht/beantragt/bittet/bitte/verlangt | demande/demandé…/svp | solicita/solicitó/solicitad…/pide/pidió/solicitud/por_favor | solicitou/pediu/pede/pedido | richiede/richiest…/chiede/chiesto | verzoek/verzoekt/gevraagd/vraagt | begär/begärt/begäran/ber | anmoder/anmodet/bedt/beder/forespurt | pyytää/pyysi/pyyntö | prosi/prosił/prosiła/żąda/żądanie | просит/просил/просила/требует/просьба/попросил/попросила | просить/просив/вимагає | молба/помоли | žádá/žádost/prosí/požádal…/žiada/žiadosť/požiadal… | kéri/kérte/kérés… | cere/cerere/solicită/cerut | talep/talebi/istedi | ζητά/ζήτησε/αίτημα | prašo/paprašė/lūdz/lūdza/palub/palus | traži/zatražio/zahtjev/zahteva | minta/meminta/permintaan | yêu_cầu/đề_nghị | अनुरोध | طلب/طلبت/يطلب/تطلب | درخواست | ביקש/ביקשה/מבקש/מבקשת/בקשה/בקשת | =ขอ/依頼/要求/请求/請求/요청';

const CONSENTS =
  'consent/consents/consented/permission/opt_in/optin/opted_in/tcpa/gdpr/authorization/authorisation | einwilligung…/zustimmung…/erlaubnis/einverständnis/dsgvo | consentement/accord/autorisation/rgpd | consentimiento/autorización/permiso/lopd | consentimento/autorização/permissão/lgpd | consenso/autorizzazione | toestemming…/avg | samtyck… | samtykk… | suostumu… | zgoda/zgodę/zgody/rodo | согласие/согласия/згода/згоду/згоди/съгласие/съгласието | souhlas/souhlasu/súhlas/súhlasu | hozzájárulás…/consimțământ…/acord/acordul | izin/izni/onay/onayı/rıza/rızası/kvkk | συγκατάθεσ…/συναίνεσ… | sutikim…/piekriš…/nõusolek… | suglasnost…/privol…/pristanak/pristank…/soglasj…/saglasnost…/сагласност… | persetujuan/sự_đồng_ý/đồng_ý | सहमति/अनुमति/موافقة/الموافقة/موافقته/موافقتها/رضایت/رضامندی/اجازت/הסכמה/ההסכמה/הסכמתו/הסכמתה | =同意/동의/ยินยอม/授权/授權/許諾';
const REVOKED =
  'revoked/revoke/revokes/revocation/withdrawn/withdrew/withdraw/withdraws/withdrawal/denied/refused/declined/rescinded/rejected/pulled | widerruf…/zurückgezogen/verweigert/abgelehnt/entzogen | révoqué…/retiré…/refusé…/retrait | revocad…/retirad…/denegad…/rechazad…/revocó/retiró | revogad…/negad…/recusad…/revogou/retirou | revocat…/ritirat…/negat…/rifiutat… | ingetrokken/geweigerd/herroepen | återkall…/nekat/nekad | tilbagekald…/trukket/nægtet/afvist/tilbakekalt/avslått/nektet | peruttu/peruutettu/perunut/peruuttanut/kielletty/evätty | cofnięt…/cofnął/cofnęła/wycofan…/wycofał…/odwołan…/odmow…/odmów… | отозван…/отозвал…/отзыв…/отказ… | відкликан…/відкликав/відкликала/відмов… | оттеглен…/оттегли/отказан… | odvolán…/odvolal…/odmítnut…/odvolan…/odmietnut… | visszavon…/megtagad…/elutasít… | retras…/revocat…/refuzat… | geri_alındı/geri_aldı/geri_çekti/geri_çekildi/reddedil…/reddetti | ανακλήθηκε/ανακάλεσε/ανάκληση/αρνήθηκε | atšaukt…/atšaukė/atsaukt…/atsauca/tagasi_võetud/tagasi_võttis | povučen…/povukao/povukla/opozvan…/odbijen…/preklican…/umaknjen…/повучен… | dicabut/ditarik/ditolak/mencabut/rút_lại/thu_hồi/từ_chối | वापस/अस्वीकार/سحب/سحبت/رفض/إلغاء/لغو/پس_گرفت…/واپس/منسوخ/בוטלה/חזר_בו/נסוג/סירב/משך/ביטל | =撤回/取り消/拒否/撤销/撤銷/收回/拒绝/拒絕/철회/거부/ถอน/เพิกถอน/ปฏิเสธ';

const OBJECTS =
  'objection/objections/objects/objected/object | widerspruch…/widersprochen/widerspricht | opposition/opposé…/s_oppose | oposición/se_opone/opuesto/oposição/opôs | opposizione/oppost… | bezwaar/verzet | invändning/motsätter/motsatt/indsigelse/innsigelse | vastust… | sprzeciw… | возраж…/запереч…/възраж…/възрази | námitk…/námietk… | tiltakoz… | opoziți… | itiraz… | αντίρρηση/εναντίωση/αντιτάχθηκε | prieštar…/iebild…/vastuväi… | prigovor…/ugovor…/usprotiv… | keberatan/phản_đối/आपत्ति/اعتراض/התנגד… | =異議/反对/反對/이의/คัดค้าน';
/** Laws about personal data and words for advertising: an objection beside one of them is one to calls as well. */
const PRIVACY =
  'gdpr/dsgvo/rgpd/lgpd/lopd/ccpa/popia/avg/rodo/kvkk/marketing…/advertising/werbung/werbe…/publicité/publicidad/publicidade/pubblicità/reclame/reklam…/mainos…/markkinoint…/маркетинг…/реклам… | art/article/artikel/artículo/artigo/articolo 21 | data/daten processing/processed/verarbeitung';

/** Beside a word for calls: who has it is left out when people are called. */
const KEPT_OUT =
  'exclude/excluded/exclusion/exclusions/restrict/restricted/restriction/restrictions/suppress/suppressed/suppression/barred/barring/banned/forbidden/prohibited/ng | ausschluss/ausgeschlossen/sperre/sperrung/sperrvermerk/gesperrt/verbot | exclu…/interdi…/blocage | bloqueo/bloquead…/restricci…/prohib… | bloqueio/restriç…/proib… | esclu…/blocco/bloccat…/divieto/vietat…/restrizion… | blokkade/geblokkeerd/uitgesloten/uitsluiting/verbod | spärr/spärrad/spärrat/förbud/utesluten | spærring/spærret/sperre/sperret/sperring/forbud/udelukket/utelukket | esto/kielto/kielletty | blokada/blokady/zablokowan…/zakaz/wykluczon… | блокировк…/заблокир…/запрет/запрещ…/исключ… | блокуван…/заблок…/заборон… | забрана/забранен…/блокиран… | blokac…/blokován…/zákaz…/zakázán…/vyloučen… | blokác…/blokovan…/zakázan…/vylúčen… | tiltás/tiltott/tiltva/letiltva/kizárva/tilalom | blocare/blocat…/interzi…/exclus… | engeli/engellendi/engellenmiş/yasağı/yasak | αποκλεισμ…/απαγόρευσ…/φραγή | draudim…/užblok…/aizliegum…/bloķē… | keeld/keelatud/blokeeritud | blokad…/blokiran…/zabran…/prepoved…/забран… | diblokir/larangan/dilarang/dikecualikan | chặn/cấm/loại_trừ | प्रतिबंध…/निषेध | حظر/محظور/منع/استبعاد | مسدود/ممنوعیت | خارج_از | חסום/חסומה/חסימה/חסימת/מוחרג/החרגה | =禁止/除外/拒否/屏蔽/禁/차단/금지/제외/ระงับ/ห้าม';

/** The person cannot be called, or the record is out of use: nobody's wish, so it says nothing to other campaigns. */
const OUT_OF_USE =
  'deceased/died/dead/passed_away/wrong_number/wrong_person/wrong_no/wrong_phone/bad_number/invalid_number/not_in_service/out_of_service/disconnected/disconnected_number/inactive/deactivated/blocked/do_not_use/dont_use/don_t_use/number_changed/no_longer_in_service | no_consent/without_consent | verstorben/gestorben/falsche_nummer/falsche_rufnummer/falsche_telefonnummer/kein_anschluss/inaktiv/deaktiviert/gesperrt/nicht_verwenden/nicht_benutzen/ungültige_nummer | décédé…/mauvais_numéro/faux_numéro/numéro_erroné/inactif/inactive/bloqué/bloquée/ne_pas_utiliser/désactivé | fallecid…/número_equivocado/número_erróneo/número_incorrecto/fuera_de_servicio/inactivo/inactiva/bloqueado/bloqueada/no_usar/no_utilizar | falecid…/número_errado/número_inválido/inativ…/desativado/não_usar/não_utilizar/fora_de_serviço | decedut…/numero_errato/numero_sbagliato/inattiv…/disattivat…/bloccato/bloccata/non_usare/non_utilizzare | overleden/verkeerd_nummer/fout_nummer/inactief/geblokkeerd/niet_gebruiken | avliden/fel_nummer/inaktiv/blockerad/spärrad/använd_ej/använd_inte | død/afdød/avdød/forkert_nummer/feil_nummer/blokeret/spærret/blokkert/sperret/må_ikke_bruges/ikke_bruk | kuollut/edesmennyt/väärä_numero/passiivinen/estetty/älä_käytä/ei_käytössä | zmarł…/zły_numer/błędny_numer/niewłaściwy_numer/nieaktywn…/zablokowany/zablokowana/nie_używać | умер/умерла/скончал…/неверный_номер/неправильный_номер/не_тот_номер/ошибка_номера/неактив…/заблокирован/заблокирована/не_использовать | помер/померла/невірний_номер/неправильний_номер/неактивн…/заблокований/не_використовувати | починал…/грешен_номер/блокиран/не_използвайте | zemřel…/zesnul…/špatné_číslo/chybné_číslo/neaktivn…/zablokován…/nepoužívat | zomrel…/zlé_číslo/nesprávne_číslo/neaktívn…/zablokovan…/nepoužívať | elhunyt/meghalt/téves_szám/rossz_szám/hibás_szám/inaktív/letiltva/ne_használja | decedat…/număr_greșit/inactiv…/blocat/blocată/nu_folosi… | vefat/öldü/merhum/yanlış_numara/pasif/aktif_değil/bloke/kullanmayın | απεβίωσε/αποβιώσας/θανών/λάθος_αριθμός/λάθος_νούμερο/ανενεργ…/μπλοκαρισμέν…/μη_χρησιμοποι… | mirė/miręs/mirusi/klaidingas_numeris/neteisingas_numeris/neaktyv…/užblokuot…/nenaudoti | miris/nepareizs_numurs/neaktīv…/bloķēts/nelietot | surnud/vale_number/mitteaktiivne/blokeeritud/mitte_kasutada | umro/umrla/preminu…/pogrešan_broj/krivi_broj/napačna_številka/neaktiv…/blokiran/ne_koristiti/умро/погрешан_број | meninggal/almarhum/nomor_salah/salah_nomor/tidak_aktif/nonaktif/diblokir | đã_mất/qua_đời/sai_số/nhầm_số/không_hoạt_động/bị_chặn | मृत/निधन/गलत_नंबर/निष्क्रिय | متوفى/متوفي/متوفاة/توفي/رقم_خاطئ/رقم_خطأ/غير_نشط/محظور | متوفی/فوت/شماره_اشتباه/غیرفعال/مسدود | وفات/انتقال/غلط_نمبر/غیر_فعال | נפטר/נפטרה/מספר_שגוי/טעות_במספר/לא_פעיל/לא_פעילה/חסום/לא_להשתמש | =เสียชีวิต/เบอร์ผิด/ผิดเบอร์/ไม่ใช้งาน/死亡/故人/番号間違い/番号違い/欠番/使用禁止/已故/去世/错号/錯號/空号/空號/停机/停機/已停用/勿用/사망/잘못된번호/결번/비활성/사용금지/사용안함';

/** Somebody is not called yet, which says nothing of the future. */
const NOT_YET =
  'yet/so_far | noch | encore | aún/todavía | ainda | ancora | nog | ännu | endnu/ennå/enda | vielä | jeszcze | ещё/еще/пока | ще/поки | още | ještě/zatím | ešte/zatiaľ | még | încă | henüz | ακόμα/ακόμη | dar | vēl | veel | još/še | belum | chưa | अभी_तक | لم | هنوز | ابھی_تک | עדיין/טרם | =ยังไม่/まだ/未/尚/还没/還沒/아직';

/** The line, a carrier or a setting of the telephone blocks, not the person. */
const TECHNICAL =
  'carrier/network/provider/line/trunk/gateway/voicemail/mode/busy/retry/spam/firewall/temporarily/setting/settings/operator/caller_id | netz/netzbetreiber/anbieter/leitung/besetzt/modus | opérateur/réseau/ligne/occupé | operadora/operador/línea/red/linha/rede/ocupado | operatore/rete/linea/occupato | netwerk/lijn/bezet | operatör…/nätet/linje…/upptagen/operatør…/optaget/opptatt | operaattori…/linja/varattu | operator…/sieć/linia/zajęt… | оператор…/линия/сеть/занят… | лінія/мережа/зайнят… | síť/linka/obsazen…/sieť/obsaden… | szolgáltató/vonal/foglalt | rețea…/linie/ocupat | şebeke/şebekesi/hat/hattı/meşgul | γραμμή/δίκτυο/κατειλημμέν… | linija/tinklas/līnija/tīkls/liin/võrk/mreža | jaringan/sibuk/mạng/máy_bận | नेटवर्क/व्यस्त/الشبكة/الخط/مشغول/شبکه/خط/اشغال/مصروف/רשת/קו/תפוס | =回線/通信/話中/线路/線路/网络/網路/通话中/회선/통화중/สายไม่ว่าง';
/** What a line can do as well as a person. */
export const BLOCKS =
  /^(?:block|blocked|blocks|blocking|barred|banned|dnd|gesperrt|bloque[ae]?|bloquead[ao]s?|bloccat[aoei]|geblokkeerd|blockera[dt]|blokeret|blokkert|sperret|spaerret|estetty|zablokowan\S*|заблок\S*|блокир\S*|zablokovan\S*|letiltva|blocat[ae]?|engellendi|bloke|μπλοκαρισμεν\S*|blokiran\S*|diblokir)$/;

/** A time of day or another circumstance: at other times the person may be called. */
const SOMETIMES =
  'work/workplace/office/morning/mornings/afternoon/afternoons/evening/evenings/night/nights/noon/lunch/lunchtime/weekend/weekends/weekday/weekdays/today/tomorrow/hours/unless/except/monday/mondays/tuesday/tuesdays/wednesday/wednesdays/thursday/thursdays/friday/fridays/saturday/saturdays/sunday/sundays/holidays/ramadan | without_appointment/without_notice | morgens/vormittag…/nachmittag…/abends/mittag…/nachts/wochenende…/arbeit/heute/außer/montag…/dienstag…/mittwoch…/donnerstag…/freitag…/samstag…/sonntag…/ohne_termin | matin…/après_midi/soir…/midi/week_end/weekend/travail/aujourd_hui/sauf/lundi/mardi/mercredi/jeudi/vendredi/samedi/dimanche | mañana…/tarde…/noche…/mediodía/fin_de_semana/trabajo/hoy/salvo/excepto/lunes/martes/miércoles/jueves/viernes/sábado…/domingo… | manhã…/noite…/almoço/fim_de_semana/trabalho/hoje/exceto/segunda/terça/quarta/quinta/sexta | mattin…/pomeriggio/di_sera/la_sera/pranzo/fine_settimana/lavoro/oggi/tranne/lunedì/martedì/mercoledì/giovedì/venerdì/sabato/domenica | ochtend…/s_ochtends/middag…/avond…/s_avonds/werk/vandaag/behalve/zaterdag/zondag | morgon…/förmiddag…/eftermiddag…/kväll…/helg…/jobbet/idag/lördag…/söndag… | morgen…/formiddag…/eftermiddag…/ettermiddag…/aften…/kveld…/arbejde/i_dag/lørdag…/søndag… | aamu…/aamupäiv…/iltapäiv…/ilta…/viikonlop…/töissä/tänään | rano/rankiem/południ…/wieczor…/weekend…/pracy/dzisiaj/dziś/oprócz | утром/утра/днём/днем/вечером/ночью/выходны…/на_работе/сегодня/кроме | вранці/зранку/вдень/ввечері/вихідн…/сьогодні/крім | сутрин/вечер/обед/уикенд… | ráno/dopoledne/odpoledne/večer/víkend…/práci/dnes/dopoludnia/popoludní/kromě/okrem | reggel/délelőtt/délután/hétvég…/munkahely…/kivéve | dimineața/după_amiază/seara/weekend/serviciu/azi/exceptând | sabah…/öğle…/akşam…/hafta_sonu/iş_yeri…/bugün/hariç | πρωί/μεσημέρι/απόγευμα/βράδυ/σαββατοκύριακο/δουλειά/σήμερα/εκτός | ryte/rytais/vakare/vakarais/savaitgal…/šiandien/no_rīta/vakarā/nedēļas_nogal…/šodien | hommikul/õhtul/nädalavahetus…/täna | ujutro/navečer/uveče/vikend…/zjutraj/zvečer/danes/danas/osim | pagi/siang/sore/malam/akhir_pekan/hari_ini/kecuali | buổi_sáng/buổi_chiều/buổi_tối/cuối_tuần/hôm_nay/trừ | सुबह/दोपहर/शाम/रात/आज/صباحا/مساء/الصباح/المساء/اليوم/إلا/صبح/عصر/شب/امروز/شام/رات/آج/בבוקר/בערב/בצהריים/היום/אלא/חוץ | =เช้า/เย็น/กลางคืน/วันนี้/ยกเว้น/午前/午後/朝/夜間/夜は/昼/土日/平日/本日/以外/上午/下午/早上/晚上/中午/周末/週末/今天/除了/오전/오후/아침/저녁/밤/주말/오늘/제외하고';

/** All ways to reach somebody, calls among them. */
const EVERY_WAY =
  'all/every/everything/any/fully/globally/global/total/completely | alle/allem/alles/jegliche…/komplett/sämtliche… | tout/tous/toutes/total… | todo/todos/todas/tudo/todo_contacto | tutto/tutti/tutte | alles/volledig | allt/alla/samtliga/alt/alle | kaikki/kaikista/kaiken | wszystk… | все/всё/всех/всего/всі/всього/всички | vše/všechn…/všetk… | minden… | tot/toate/tümü/tüm/hepsi | όλα/όλες/όλους | vis…/visus/visu/kõik…/sve/svih/vse | semua/seluruh/tất_cả/mọi/सभी/सब/كل/جميع/همه/تمام/הכל/כל | =全て/すべて/全部/所有/一切/모든/전체/ทั้งหมด/ทุก';

/** People of whom a law or caution says that they are not called. */
const LEGAL =
  'cease_and_desist/cease_desist/c_d/attorney_represented/represented_by/has_attorney/has_lawyer/litigator/litigators/litigious/serial_litigator/known_litigator/legal_representation/legal_threat/threatened_lawsuit/threatens_lawsuit | unterlassungserklärung/unterlassungserkl…/anwaltlich_vertreten/abmahnung | mise_en_demeure/représenté_par_avocat | representado_por_abogado/cese_y_desista/representado_por_advogado/diffida/rappresentato_da_avvocato';

export const isUnwilling = phraseTest(UNWILLING);
export const isTakenOff = phraseTest(TAKE_OFF);
export const isOfList = phraseTest(LISTS);
export const isAsked = phraseTest(ASKED);
export const isConsent = phraseTest(CONSENTS);
export const isRevoked = phraseTest(REVOKED);
export const isObjection = phraseTest(OBJECTS);
export const isOfPrivacy = phraseTest(PRIVACY);
export const isKeptOut = phraseTest(KEPT_OUT);
export const isOutOfUse = phraseTest(OUT_OF_USE);
export const isNotYet = phraseTest(NOT_YET);
export const isTechnical = phraseTest(TECHNICAL);
export const isSometimes = phraseTest(SOMETIMES);
export const isEveryWay = phraseTest(EVERY_WAY);
export const isLegal = phraseTest(LEGAL);

/** Words that turn a refusal that follows them, by language; ` no longer ` is `no` and a filler. */
const NEGATORS = new Set(
  foldedWords(
    'not no non never without isn wasn hasn aren didn nicht kein keine keinen keiner nie ohne ne pas aucun aucune jamais sans ningún ninguna sin não nem sem mai senza nessun nessuna niet geen nooit zonder inte ej inga ingen aldrig utan ikke uden uten aldri ei eivät nie bez brak не нет без ні немає няма není nejsou nem nincs nu fără değil δεν μη μην όχι χωρίς nėra nav mitte pole nije nisu ni brez tidak bukan tanpa không chưa नहीं بدون غير ليس ليست لم لیس نیست غیر نہیں לא אין ללא אינו',
  ),
);
/** Words between a negation and what it turns. */
const FILLERS = new Set(
  foldedWords(
    'a an the on in of from for to as is are was be been being has have had did does do our any our own internal national federal state company currently longer listed registered present found flagged marked yet opted list der die das den dem auf aus von vom im in ist sind wurde mehr als eingetragen gelistet markiert steht le la les l de du des d sur dans est été sur plus inscrit inscrite el los las en del está es ya o a os as no na nos nas do da dos das está mais il lo gli i nella nel della dal dalla al alla allo è più iscritto op het van uit in de is meer på av från den är i fra er ikke på ole listalla on na z ze w jest się liście listy już в на из с со від із є в списке списку в в списъка od ze na je již už nie je rajta van a az nincs în pe din este în λίστα στη στην στο από την τη είναι yra nėra iš sąraše ir no sarakstā on ole nimekirjas u na iz sa je ada dalam di dari sudah trong khỏi में है से على في من القائمة قائمة در از لیست است میں سے ہے ב ברשימת מרשימת ברשימה שחורה',
  ),
);
/** Words for a refusal that has ended, before or after it. */
const LIFTED =
  /^(?:removed|cleared|lifted|released|expired|ended|cancell?ed|rescinded|reversed|reinstated|off|entfernt|geloescht|aufgehoben|abgelaufen|beendet|retire[es]*|leve[es]*|expire[es]*|supprime[es]*|eliminad[oa]s?|retirad[oa]s?|levantad[oa]s?|expirad[oa]s?|quitad[oa]s?|removid[oa]s?|rimoss[oaie]|cancellat[oaie]|scadut[oaie]|verwijderd|opgeheven|verlopen|vervallen|borttagen|havd|upphavd|fjernet|ophaevet|opphevet|udlobet|utlopt|poistettu|kumottu|usuniet[yaoe]|wykreslon[yaoe]|zniesion[yaoe]|удален[аоы]?|исключен[аоы]?|снят[аоы]?|видален[оаі]?|знят[оаі]?|премахнат[аои]?|odstranen[aoy]?|zrusen[aoy]?|torolve|feloldva|eliminat[a]?|sters[a]?|kaldirildi|cikarildi|silindi|αφαιρεθηκε|διαγραφηκε|pasalint[as]*|nonemts?|iznemts?|eemaldatud|tuhistatud|uklonjen[oa]?|skinut[oa]?|odstranjen[oa]?|dihapus|dicabut|dikeluarkan|हटाया|ازيل|הוסר[ה]?)$/;
/** The last word of a statement that denies it: `DNC: clean`. */
const ENDS_CLEAN =
  /^(?:no|false|n|clean|cleared|clear|none|negative|passed|nein|non|nao|nej|nei|nie|net|нет|ні|не|ne|nem|nu|hayir|degil|οχι|nē|tidak|khong|नहीं|لا|خير|نہیں|לא|unbelastet|sauber|negativ)$/;
/** A check of a registry: the word after it is what it found. */
const CHECKED =
  /^(?:scrub|scrubbed|scrubbing|check|checked|verified|washed|gepruft|geprueft|abgleich|verifie|verificado|verificato|gecontroleerd|kontrollerad|kontrolleret|sprawdzon[yao]|проверен[оаы]?)$/;
const NO_SPACES =
  /^(?:不在|非|不是|未|没有|沒有|已移出|移出|解除|已解除|取消|ไม่อยู่ใน|ไม่ได้อยู่ใน|ไม่ได้)|(?:解除|ではない|でない|から削除|解除済み?|해제됨?|아님|아니다|제외됨|移出|已移除)$/;

/**
 * Whether the refusal in a folded text is denied or over: `not on DNC`, `removed from DNC`, `DNC: clean`. A `no` that
 * belongs to the refusal (`do not call`) leaves no refusal when it is taken out, so it turns nothing.
 * @param refuses whether a folded text refuses
 */
export function isTurned(folded: string, refuses: (folded: string) => boolean): boolean {
  const words = folded.split(' ');
  const joined = words.join('');
  if (NO_SPACES.test(joined) && refuses(joined.replace(NO_SPACES, ''))) return true;
  const turnsNext = words.some((word, at) => {
    const isLifted = LIFTED.test(word);
    if (!isLifted && !NEGATORS.has(word)) return false;
    if (refuses(words.slice(0, isLifted ? at + 1 : at).join(' '))) return false;
    const next = words.findIndex((each, n) => n > at && !FILLERS.has(each) && !isOfList(each));
    if (next === -1) return false;
    if (!isLifted && isRevoked(words[next] ?? '') && refuses(words.toSpliced(at, 1).join(' ')))
      return true;
    const isNext = !refuses(words.slice(next + 1).join(' '));
    return isNext && [at + 1, next].some((from) => refuses(words.slice(from).join(' ')));
  });
  if (turnsNext) return true;
  const last = words.findLastIndex((word) => !FILLERS.has(word) || ENDS_CLEAN.test(word));
  const end = words[last] ?? '';
  const isClean =
    ENDS_CLEAN.test(end) ||
    LIFTED.test(end) ||
    (isRevoked(end) && !isConsent(folded)) ||
    (/^ok(?:ay)?$/.test(end) && isCheck(folded));
  return last > 0 && isClean && refuses(words.slice(0, last).join(' '));
}

/** True for a text about a check of a registry: `TPS checked`. */
export function isCheck(folded: string): boolean {
  return folded.split(' ').some((word) => CHECKED.test(word));
}

function foldedWords(list: string): string[] {
  return list.split(' ').map(foldLetters);
}

/** Cells that say yes, by language; ticks are in `TICKS`. */
const YES =
  'yes|y|yeah|yep|ja|j|oui|si|sí|sì|sim|s|ken|joo|kyllä|jah|tak|да|д|так|ano|áno|igen|da|evet|ναι|taip|jā|ya|iya|có|हाँ|हां|जी हाँ|जी हां|نعم|أجل|بله|بلی|آری|ہاں|جی ہاں|כן|ใช่|はい|有|あり|済|是|是的|예|네|예스|true|t|wahr|vrai|verdadero|verdadeiro|vero|waar|sant|sand|sann|tosi|prawda|истина|правда|pravda|igaz|adevărat|doğru|αληθές|tiesa|patiess|tõene|benar|đúng|真|참|1|1.0|1,0|-1|on|checked|ticked|x1|o';

/** Cells that say no, by language; empty boxes are in `EMPTY_BOXES`. */
const NO =
  'no|n|nope|nein|non|não|nao|nee|nej|nei|ei|nie|нет|н|ні|не|ne|nem|nu|hayır|hayir|όχι|nē|tidak|tak ada|bukan|không|khong|नहीं|जी नहीं|لا|كلا|خیر|نه|نہیں|جی نہیں|לא|ไม่|ไม่ใช่|いいえ|無|なし|未|否|不|不是|没有|沒有|아니오|아니요|노|false|f|falsch|faux|falso|falskt|falsk|onwaar|usann|epätosi|fałsz|ложь|хибність|nepravda|hamis|fals|yanlış|ψευδές|netiesa|aplams|väär|salah|sai|偽|假|거짓|0|0.0|0,0|off|unchecked|unticked';

/** Cells that say that the person may be called, whatever the header says. */
const ALLOWED =
  'allow|allowed|permitted|opted in|opt in|optin|subscribed|resubscribed|callable|ok to call|okay to call|may call|can call|clean|clear|not listed|not registered|not on list|not on dnc|not dnc|not blocked|not suppressed|zulassen|erlaubt|autoriser|autorisé|permitir|permitido|autorizado|consenti|consentire|consentito|autorizzato|toestaan|toegestaan|tillåt|tillåtet|tillåten|tillad|tilladt|tillat|tillatt|sallittu|salli|zezwalaj|dozwolone|разрешить|разрешено|можно|дозволено|дозволити|povolit|povoleno|povoliť|povolené|engedélyezve|engedélyezett|permis|permite|izinli|izin var|επιτρέπεται|leidžiama|atļauts|lubatud|dozvoljeno|dopušteno|dovoljeno|diizinkan|boleh|cho phép|अनुमति है|مسموح|مجاز|اجازت ہے|מותר|อนุญาต|可|許可|可能|可以|允许|允許|허용|가능';

/** Agreement: in a column such as `May call` it allows calls, in one such as `Do not call` it forbids them. */
const AGREED =
  'ok|okay|granted|given|consented|consent given|consent|agreed|accepted|approved|authorized|authorised|confirmed|erteilt|zugestimmt|eingewilligt|accordé|accepté|aceptado|concedido|aceito|accettato|concesso|akkoord|gegeven|godkänd|godkänt|godkendt|godkjent|annettu|hyväksytty|wyrażona|udzielona|согласен|согласна|дано|згоден|згодна|souhlasí|udělen|súhlasí|hozzájárult|acceptat|onaylı|onaylandı|verildi|kabul|sutinka|piekrīt|nõus|setuju|đồng ý|सहमत|موافق|מאושר|ยินยอม|同意|接受|동의|수락';

/** Cells that say that the person must not be called, in a column that says who may be called. */
const REFUSED =
  'do not allow|not allowed|not permitted|disallow|disallowed|denied|refused|declined|withdrawn|revoked|rejected|opted out|opt out|unsubscribed|no consent|not given|not granted|none given|do not call|dnc|dnd|blocked|blacklisted|suppressed|do not contact|nicht zulassen|nicht erlaubt|nicht erteilt|abgelehnt|verweigert|widerrufen|gesperrt|verboten|ne pas autoriser|non autorisé|refusé|retiré|no permitir|no permitido|no autorizado|rechazado|denegado|revocado|não permitir|não permitido|não autorizado|recusado|negado|revogado|non consentire|non consentito|non autorizzato|negato|rifiutato|revocato|niet toestaan|niet toegestaan|geweigerd|ingetrokken|tillåt inte|inte tillåtet|nekad|återkallat|tillad ikke|ikke tilladt|afvist|tillat ikke|ikke tillatt|avslått|kielletty|ei sallittu|evätty|peruttu|nie zezwalaj|zabronione|niewyrażona|brak|odmowa|wycofana|запрещено|запретить|не разрешать|не разрешено|отказ|отозвано|не согласен|не согласна|нельзя|заборонено|відмова|nepovolit|zakázáno|nesouhlasí|nepovoliť|zakázané|nesúhlasí|tiltva|letiltva|nem engedélyezett|visszavonva|nepermis|interzis|refuzat|izinsiz|izin yok|reddedildi|reddetti|engelli|ret|απαγορεύεται|δεν επιτρέπεται|draudžiama|nesutinka|aizliegts|nepiekrīt|keelatud|zabranjeno|odbijeno|prepovedano|dilarang|ditolak|tolak|tidak setuju|tidak boleh|từ chối|không đồng ý|không cho phép|cấm|मना|असहमत|ممنوع|مرفوض|رفض|غير موافق|غیرمجاز|ممنوع|منع|אסור|סירב|לא מאושר|ไม่ยินยอม|ไม่อนุญาต|ห้าม|不可|拒否|禁止|ng|不同意|不可以|拒绝|拒絕|不允许|不允許|거부|거절|불가|금지|차단';

/** Ways to write that a cell has no answer. */
const NOTHING = '|null|nil|n/a|na|none|-|–|—|--|.|unset|not set|undefined|(blank)|0000-00-00|#n/a';

/** Signs instead of words. Some people write `CROSSES` for yes and others for no, so they count as neither. */
const TICKS = '✓|✔|☑|✅|🗹|○|〇|◯|◎';
const EMPTY_BOXES = '☐|□|⬜';
const CROSSES = '✗|✘|❌|☒|✖|×|x';

/** Where a word is in two of these lists, the later list wins. */
const WORDS = { agreed: AGREED, allowed: ALLOWED, refused: REFUSED, yes: YES, no: NO };
const SIGNS = { nothing: NOTHING, yes: TICKS, no: EMPTY_BOXES, cross: CROSSES };

/** What a cell of a yes/no column says; `nothing` includes an empty cell, `other` is any unknown text. */
type Answer = keyof typeof WORDS | keyof typeof SIGNS | 'other';

const answers = new Map<string, Answer>();

export function readAnswer(cell: string): Answer {
  if (answers.size === 0) fill();
  const text = cell.trim().toLowerCase().replaceAll('\ufe0f', '');
  return answers.get(text) ?? answers.get(`=${foldWords(text)}`) ?? 'other';
}

const isOneOf =
  (...answers: Answer[]) =>
  (cell: string): boolean =>
    answers.includes(readAnswer(cell));

export const saysYes = isOneOf('yes', 'allowed', 'agreed');
export const saysNo = isOneOf('no', 'refused');
/** True for a cell that denies a refusal of calls, or has none. */
export const deniesRefusal = isOneOf('no', 'allowed', 'nothing');
/** True for a cell that says yes or no to something, in whatever words. */
export const isYesOrNo = isOneOf('yes', 'no', 'allowed', 'agreed', 'refused', 'cross');
/** True for a cell without an answer, such as an empty one or `n/a`. */
export const saysNothing = isOneOf('nothing');

function fill(): void {
  for (const [answer, list] of [...Object.entries(WORDS), ...Object.entries(SIGNS)]) {
    for (const word of list.split('|')) answers.set(word, answer as Answer);
  }
  for (const [answer, list] of Object.entries(WORDS)) {
    for (const word of list.split('|').map(foldWords))
      if (word !== '') answers.set(`=${word}`, answer as Answer);
  }
}

/**
 * Headers that say that somebody may be called, by language; see `phraseTest` for the notation. A header that also
 * matches a do-not-call phrase (`Do not allow calls`) is a do-not-call column.
 */
const MAY_CALL: Readonly<Record<string, string>> = {
  en: 'consent/consents/consented/permission/permissions/permitted/permits/allow/allows/allowed/ok/okay/agree/agrees/agreed/authorised/authorized/authorisation/authorization/authorises/authorizes/happy/opt_in/opted_in/optin/optedin/accept/accepts/accepted/willing/wants * call/calls/called/calling/phone/phoned/telephone/telephoned/ring/dial/contact/contacted/telemarketing/telephoning/voice | call/calls/calling/phone/telephone/contact/telemarketing * consent/consents/consented/permission/permissions/permitted/allowed/allow/ok/okay/opt_in/optin/opted_in/authorised/authorized/authorisation/authorization/agreed/agreement/permissible | may_we/may_i/can_we/can_i/may_be/can_be * call/called/phone/phoned/telephone/telephoned/ring/contact/contacted | callable/contactable | voice consent | tcpa * consent/opt_in/optin/compliant/ok/status | express written consent',
  de: 'anrufbar/kontaktierbar/telefonisch_erreichbar_ok | dsgvo/gdpr * telefon…/anruf… | einwilligung…/zustimmung…/erlaubnis/freigabe/einverständnis/genehmigung/opt_in/optin * anruf…/telefon/telefonisch…/telefonanruf…/telefonkontakt/telefonwerbung/telefonmarketing/kontakt/kontaktaufnahme/kontaktieren/werbeanruf… | anruf…/telefon/telefonisch…/telefonanruf…/telefonkontakt/telefonwerbung/telefonmarketing/kontakt/kontaktaufnahme/kontaktieren/werbeanruf… * erlaubt/einwilligung/zustimmung/erlaubnis/freigabe/opt_in/optin/gestattet/zugelassen/zulässig/genehmigt/einverstanden/einverständnis/zulassen/ok/okay | anruf/anrufe/telefonanrufe/telefonkontakt/telefonische_kontaktaufnahme/telefonwerbung erwünscht/gewünscht | darf/dürfen * anrufen/angerufen/kontaktiert/kontaktieren/telefonieren/telefonisch | anruferlaubnis/anrufeinwilligung/anruffreigabe/telefoneinwilligung/telefonerlaubnis/telefonfreigabe/kontakterlaubnis/kontaktfreigabe/kontakteinwilligung/telefonzustimmung',
  fr: 'contactable/joignable * téléphone/appel | contactable | consentement/accord/autorisation/autorise/autoriser/accepte/accepter/permission/opt_in/optin * appel/appels/appeler/appelé/appelée/téléphone/téléphonique/téléphoniques/contact/contacté/contactée/contacter/démarchage/voix | appel/appels/appeler/téléphone/téléphonique/contact/contacter/démarchage * autorisé…/accepté…/consentement/consenti/permis/permission/accord/opt_in/optin/ok | peut_on/pouvons_nous/puis_je/on_peut/peut_être/souhaite_être * appeler/appelé…/contacter/contacté…/téléphoner/rappelé',
  es: 'contactable | rgpd/lopd * teléfono/llamadas/telefónico | consentimiento/consiente/permiso/permite/permitir/autorización/autoriza/autorizado/acepta/opt_in/optin * llamar/llamarle/llamada/llamadas/contacto/contactar/contactado/teléfono/telefónico/telefónicas/telefónica/voz | llamar/llamada/llamadas/contacto/contactar/teléfono/telefónico/telefónicas * permitid…/autorizad…/aceptad…/consentid…/consentimiento/permiso/opt_in/optin/ok | se_puede/podemos/puede/puedo * llamar/llamarle/llamarlo/contactar/telefonear',
  pt: 'contactável/contatável | lgpd/rgpd * telefone/ligações/chamadas | consentimento/consente/permissão/permite/permitir/autorização/autoriza/autorizado/aceita/aceite/opt_in/optin * ligar/ligação/ligações/chamada/chamadas/contato/contacto/contatar/contactar/telefone/telefónico/telefônico/telefónicas | ligar/ligação/ligações/chamada/chamadas/contato/contacto/telefone/telefónico/telefônico * permitid…/autorizad…/aceit…/consentid…/consentimento/permissão/opt_in/optin/ok | pode/podemos/posso * ligar/telefonar/contatar/contactar/chamar',
  it: 'contattabile/chiamabile | consenso/consente/consentire/permesso/autorizzazione/autorizza/autorizzato/accetta/opt_in/optin * chiamare/chiamata/chiamate/telefonare/telefonata/telefonate/telefono/telefonico/telefonica/telefoniche/contatto/contattare/contattato/telemarketing | chiamare/chiamata/chiamate/telefonata/telefonate/telefono/telefonico/contatto/contattare/telemarketing * consentit…/autorizzat…/permess…/accettat…/consenso/opt_in/optin/ok | possiamo/si_può/posso/può * chiamare/telefonare/contattare/contattato',
  nl: 'belbaar/contacteerbaar | avg * telefoon/bellen | toestemming/akkoord/toestaan/mag/mogen/opt_in/optin * bellen/gebeld/telefoon/telefonisch…/telefoongesprekken/contact/contacteren/contactopname/oproepen | bellen/telefoon/telefonisch…/telefoongesprekken/oproepen/contact/contacteren * toegestaan/toestemming/akkoord/opt_in/optin/ok/mag/toestaan/gewenst | belakkoord/beltoestemming',
  sv: 'ringbar/uppringbar/kontaktbar | samtycke/samtycker/tillstånd/godkänner/godkänt/tillåt/tillåter/tillåtelse/får/accepterar/opt_in/optin * ring/ringa/ringas/ringas_upp/samtal/telefonsamtal/kontakt/kontakta/kontaktas/telefon/uppringning | ringa/samtal/telefonsamtal/kontakt/kontakta/telefon/telefonkontakt/uppringning * tillåt…/tillåtet/samtycke/ok/godkän…/opt_in/optin/tillstånd',
  da: 'kontaktbar | samtykke/samtykker/tilladelse/tillad/tillader/må/accepterer/opt_in/optin * ringe/ringes/ringes_op/opkald/telefonopkald/kontakt/kontaktes/kontakte/telefon/telefonisk/telefonkontakt | ringe/opkald/telefonopkald/kontakt/telefon/telefonisk * tilladt/samtykke/ok/tilladelse/opt_in/optin/accepteret',
  nb: 'samtykke/samtykker/tillatelse/tillat/tillater/kan/får/godtar/opt_in/optin * ringe/ringes/ringes_opp/anrop/oppringning/kontakt/kontaktes/kontakte/telefon/telefonisk/samtale/telefonsamtaler | ringe/anrop/oppringning/kontakt/telefon/telefonisk/telefonsamtaler * tillatt/samtykke/ok/tillatelse/opt_in/optin/godtatt',
  fi: 'soitettavissa | lupa/suostumus/hyväksyy/hyväksyn/saa/saako/sallii/salli/sallittu * soittaa/soittoon/soitto/soittoihin/puhelu/puhelut/puheluihin/puheluita/puheluun/puhelinmarkkinointi…/puhelinmyynti…/puhelimitse/yhteyttä/yhteydenotto…/yhteydenottoon | soitto/soittaa/soittaminen/puhelut/puhelu/puhelinmarkkinointi/yhteydenotto/yhteydenotot * lupa/suostumus/sallittu/sallitut/ok/hyväksytty | soittolupa/puhelinlupa/puhelulupa/yhteydenottolupa/puhelinmarkkinointilupa/puhelinsuostumus',
  pl: 'rodo * telefon/telefoniczny | zgoda/zgody/zezwala/zezwól/zezwolenie/pozwolenie/można/wolno/akceptuje/wyraża_zgodę * dzwonić/dzwonienie/zadzwonić/telemarketing/telefon/telefoniczna/telefoniczny/telefonicznie/telefoniczne/telefonowanie/kontakt/kontaktować/kontaktu/połączenia/połączenie/rozmowy | telefon/telefoniczny/kontakt/połączenia/dzwonienie * zgoda/dozwolon…/zezwolon…/ok',
  ru: 'согласие/согласен/согласна/разрешение/разрешено/разрешены/разрешает/разрешить/можно * звонить/звонки/звонок/звонка/позвонить/контакт…/телефон…/связаться/связываться/связь/обзвон… | звонить/звонки/звонок/контакт/телефон/обзвон * разреш…/согласие/можно/ок',
  uk: 'згода/згоден/згодна/дозвіл/дозволено/дозволяє/дозволити/можна * дзвонити/дзвінки/дзвінок/телефонувати/телефон…/контакт… | дзвонити/дзвінки/дзвінок/контакт/телефон * дозвол…/згода/можна/ок',
  bg: 'съгласие/разрешение/разрешено/разрешава/може * обаждане/обаждания/обаждаме/звъним/звънене/телефон…/контакт… | обаждания/обаждане/контакт * разреш…/съгласие',
  cs: 'souhlas/souhlasí/povoleno/povolit/povolení/svolení/lze/můžeme/smíme * volat/volání/voláním/zavolat/telefon…/kontakt…/hovor… | volání/volat/telefon…/kontakt…/hovory * povolen…/souhlas/ok/dovolen…/povolit',
  sk: 'súhlas/súhlasí/povolené/povoliť/povolenie/možno/môžeme/smieme * volať/volanie/volaním/volania/zavolať/telefon…/kontakt…/hovor… | volanie/volania/volať/telefon…/kontakt…/hovory * povolen…/súhlas/ok/dovolen…/povoliť',
  hu: 'kereshető/telefonálható/elérhető_telefonon | hozzájárul…/engedély…/beleegyez… * hívás…/hív…/telefon…/kapcsolat…/megkeres… | hívás…/telefonhívás…/telefonos/megkeresés… * engedély…/hozzájárul…/beleegyez…/ok | hívható/telefonálható',
  ro: 'consimțământ/acord/de_acord/permisiune/permite/permis/acceptă/accept/putem/poate_fi/se_poate * apel/apeluri/apelurile/apelurilor/apela/apelat/suna/sunat/telefon…/contact… | apeluri/apel/telefon…/contact/contactare * permis…/acord/consimțământ/acceptat…/ok',
  tr: 'kvkk * arama/telefon | arama/aranma/telefon/telefonla/çağrı/iletişim * izni/izin/onayı/onay/rızası/rıza/kabul/serbest/izinli | aranabilir…/arayabilir… | izin/onay/rıza * arama…/aran…/telefon',
  el: 'συγκατάθεση/συναίνεση/άδεια/έγκριση/επιτρέπεται/επιτρέπονται/αποδοχή/αποδέχεται/μπορούμε * κλήση/κλήσεις/κλήσεων/κλήσης/τηλεφων…/επικοινων…/καλέσουμε | κλήσεις/κλήση/τηλεφων…/επικοινωνία * επιτρέπ…/συγκατάθεση/συναίνεση/εγκεκριμέν…',
  lt: 'sutikimas/sutinka/leidimas/leidžia/leisti/leidžiama/galima * skamb…/telefon…/kontakt…/susisiek… | skambinti/skambučiai/skambučius/telefonu * leidžia…/leisti/sutikimas/leidimas/galima',
  lv: 'piekrišana/piekrīt/atļauja/atļauts/atļaut/drīkst * zvan…/telefon…/tālru…/kontakt…/sazin… | zvanīt/zvani/zvaniem/zvanus * atļaut…/atļauja/piekrišana/drīkst',
  et: 'nõusolek/luba/lubatud/lubab/tohib * helista…/kõne/kõned/kõnedeks/telefon…/ühendust | helistamine/helistada/kõned * lubatud/luba/nõusolek/tohib',
  hr: 'suglasnost/saglasnost/pristanak/dozvola/dozvoljeno/dozvoliti/dopušteno/smijemo/smemo/soglasje/privolitev/dovoljenje/dovoljeno * zvati/nazvati/pozvati/poziv…/klic…/poklicati/kontakt…/telefon… | pozivi/poziv/klici/klicanje/kontakt * dozvoljen…/dopušten…/dovoljen…/suglasnost/saglasnost/soglasje | сагласност/дозвола/дозвољено * позив…/звати/контакт…',
  id: 'izin/persetujuan/setuju/boleh/bersedia/diizinkan/mengizinkan/kebenaran * telepon/ditelepon/telpon/ditelpon/menelepon/hubungi/dihubungi/panggilan/kontak/dikontak/telefon | panggilan/telepon/menelepon/kontak * diizinkan/disetujui/izin/boleh/ok/dibenarkan',
  vi: 'đồng_ý/cho_phép/được_phép/chấp_nhận * gọi/gọi_điện/liên_hệ/cuộc_gọi/điện_thoại/nghe_gọi | gọi/liên_hệ * được_phép/đồng_ý',
  hi: 'कॉल/फोन/संपर्क/सम्पर्क * अनुमति/सहमति/स्वीकृति/इजाजत/मंजूरी | अनुमति/सहमति/स्वीकृति * कॉल/फोन/संपर्क | कॉल/फोन/संपर्क कर सकते',
  ar: 'موافقة/الموافقة/موافق/إذن/الإذن/يسمح/السماح/مسموح/يقبل/قبول/تصريح/يوافق * الاتصال/بالاتصال/اتصال/للاتصال/اتصالات/المكالمات/مكالمات/التواصل/بالتواصل/الهاتف…/هاتف… | الاتصال/اتصال/المكالمات/التواصل * مسموح…/موافق…',
  fa: 'اجازه/رضایت/مجوز/موافقت * تماس/زنگ/تلفن… | تماس * مجاز/اجازه/رضایت/مجوز',
  ur: 'کال/فون/رابطہ/کالز * اجازت/رضامندی/اتفاق | اجازت/رضامندی * کال/فون/رابطہ/کالز',
  he: 'אישור/הסכמה/מאשר/מאשרת/מסכים/מסכימה/מותר/רשות/אפשר * להתקשר/להתקשרות/התקשרות/לשיחות/לשיחה/לשיחת/שיחות/ליצור_קשר/ליצירת_קשר/טלפונ… | שיחות/התקשרות * מותר…/מאושר…/באישור',
  th: '=ยินยอมให้โทร/อนุญาตให้โทร/ยินยอมให้ติดต่อ/อนุญาตให้ติดต่อ/ยินยอมรับสาย/ยินยอมทางโทรศัพท์/ยินยอมการโทร/ความยินยอมในการโทร/ยินดีรับสาย/โทรได้/ยินยอมให้ติดต่อทางโทรศัพท์',
  ja: '=架電可/架電許可/架電同意/架電許諾/架電ok/電話可/電話許可/電話同意/電話ok/電話連絡可/電話連絡許可/電話連絡同意/電話連絡の同意/電話連絡への同意/電話での連絡可/電話での連絡に同意/電話連絡ok/連絡可/コール可/コールok/発信可/お電話ok/お電話可',
  zh: '=可致电/可以致电/可拨打/可以拨打/可打电话/可以打电话/可外呼/可联系/可以联系/允许致电/允许拨打/允许来电/允许电话/允许外呼/允许联系/同意致电/同意来电/同意电话/同意接听/同意外呼/同意联系/接受来电/接受电话/接受致电/接受联系/电话许可/电话授权/通话许可/外呼授权/致电同意/电话同意/联系同意/致电许可/能否致电/愿意接听/是否致电 | =可致電/可以致電/可撥打/可以撥打/可以打電話/可聯絡/可以聯絡/允許致電/允許撥打/允許來電/允許電話/允許聯絡/同意致電/同意來電/同意電話/同意聯絡/接受來電/接受電話/接受致電/電話許可/電話授權/致電同意/電話同意/聯絡同意/致電許可',
  ko: '=전화동의/통화동의/연락동의/전화수신동의/전화연락동의/전화마케팅동의/전화권유동의/전화허용/연락허용/통화허용/전화허락/전화가능/연락가능/tm동의/콜동의/전화수락',
};

/** Words for consent to something else than being called: to recordings of calls. */
const ANOTHER_CONSENT =
  'recording/record/recorded/recordings/aufzeichn…/mitschnitt/enregistr…/grabación/grabar/gravação/gravar/registrazione/registrare/opname/opnemen/inspelning/optag…/opptak/nauhoit…/nagrywan…/nagrani…/запись/записи/запис/nahráv…/záznam…/felvétel…/înregistr…/kayıt/kaydı/kaydetme/ηχογράφηση/įraš…/ieraksts…/merekam/rekaman/ghi_âm/רیکارڈنگ/ضبط/تسجيل/הקלטה/रिकॉर्ड… | =録音/录音/錄音/녹음/บันทึกเสียง';

/**
 * Words that may turn a consent into a refusal. A header that has one of them and a consent, and does not match a
 * do-not-call phrase, is ambiguous.
 */
const CONTRARY =
  'no/not/never/without/non/dont/don | nicht/nie/kein…/ohne | ne/pas/sans | sin | não/sem | senza | niet/geen/zonder | inte/ej/inga/utan | ikke/aldri/aldrig/uden/uten | ei/älä | nie/bez/brak | не/нет/без/ні/немає | neželá/nepřeje/nesouhlas…/nesúhlas… | nem/nincs | nu/fără | yok/değil | μη/μην/όχι/δεν/χωρίς | nėra | nav/nē | mitte | tidak/tak/tanpa/jangan/bukan | không/chưa/đừng | न/ना/नहीं/मत/बिना | لا/عدم/غير/بدون/ليس | نیست/عدم/بدون/غیر | نہ/نہیں/مت/بغیر | לא/אין/ללא/בלי | =不/未/勿/禁/拒/なし/無し/금지/거부/않/안함/없음/ไม่/ห้าม/งด';

const says = phraseTest(Object.values(MAY_CALL).join(' | '));
const isContrary = phraseTest(CONTRARY);
export const isAnotherConsent = phraseTest(ANOTHER_CONSENT);

/** Whether a folded header says that somebody may be called. `perhaps`: it says this or the opposite. */
export function namesConsent(folded: string): boolean | 'perhaps' {
  if (!says(folded) || isAnotherConsent(folded)) return false;
  return isContrary(withoutNumberSign(folded)) ? 'perhaps' : true;
}

/** The folded header without a `no` that refuses nothing: `Mobile No.`, `No. of calls`, `May we call (Yes/No)`. */
export function withoutNumberSign(folded: string): string {
  const words = folded.split(' ');
  const [last = '', before = ''] = words.toReversed();
  const isChoice = readAnswer(before) === 'yes' && readAnswer(last) === 'no';
  const name = isChoice ? words.slice(0, -2).join(' ') : folded;
  return name.replace(/ no(?= \d{1,2}$|$)|(?:^| )no (?:of|de|di|d)(?= )/, '');
}
