/* What a program takes that does nothing: for startup.c. */
int main(void)
{
    return 0;
}
