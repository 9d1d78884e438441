-- Searches find letters with and without accents alike: "jose" finds José, "gross" finds Groß. What is searched is stored folded, and what
-- was typed is folded by `fold` of src/domain/text/fold.ts. This function gives the same letters as that one, whatever the locale of the
-- database: it decomposes, drops the accents, and lowers Latin, Greek, Cyrillic and Armenian by itself, which "C" would leave as they are.
create function folded(given text) returns text language plpgsql immutable parallel safe as $$
begin
  if octet_length(given) = length(given) then return lower(given); end if;
  return replace(replace(replace(replace(lower(translate(
    normalize(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]', '', 'g'), nfc),
    'ẞỺỼỾÆÐØÞðøĐđĦħıŁłŊŒŦŧƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥ'
      || 'ΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪ'
      || 'ҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
    'ßỻỽỿædoþdoddhhillŋœttɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυ'
      || 'φχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫ'
      || 'ҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
  )), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end $$;

-- Every writer of a searched column has it folded, so that none can forget it.
create function fold_search() returns trigger language plpgsql as $$
begin
  new.search := folded(new.search);
  return new;
end $$;
create trigger fold_search before insert or update of search on contracts for each row execute function fold_search();
create trigger fold_search before insert or update of search on customers for each row execute function fold_search();
create trigger fold_search before insert or update of search on products for each row execute function fold_search();
update contracts set search = search where octet_length(search) <> length(search);
update customers set search = search where octet_length(search) <> length(search);
update products set search = search where octet_length(search) <> length(search);

alter table gifts drop column search;
alter table gifts add column search text generated always as (folded(id::text || ' ' || giver_name || ' ' || giver_email || ' '
  || btrim(recipient_first_name || ' ' || recipient_last_name) || ' ' || recipient_email || ' ' || products)) stored;
create index gifts_search on gifts using gin (store_id, search gin_trgm_ops);
